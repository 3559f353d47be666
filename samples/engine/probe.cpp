// SPDX-License-Identifier: MIT
// An engine's probe in C++: probe FOLDERS prints what queen against rook is worth, asked by two threads.
//
//     c++ -std=c++11 -pthread -o probe probe.cpp $(pkg-config --cflags --libs endlab)
//     endlab build KQvKR --metric wdl50 && ./probe ~/.local/share/endlab
#include <endlab/engine.h>

#include <atomic>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

// Tables that close themselves.
class Tables {
public:
	explicit Tables(const std::string &folders)
	{
		el_engine_options options{};
		options.size = sizeof options;
		options.folders = folders.c_str();
		options.cache_bytes = std::size_t(64) << 20;
		el_engine *engine = nullptr;
		el_error error{};
		if (el_engine_open(&options, &engine, &error))
			throw std::runtime_error(error.text);
		engine_.reset(engine);
	}

	// -2 .. 2 from the side to move, as most engines count it; false where no table tells.
	bool wdl(const el_board &board, int &out) const
	{
		el_value value{};
		if (el_engine_probe(engine_.get(), &board, metric_, 0, &value) ||
		    !el_outcome_exact(static_cast<el_outcome>(value.outcome)))
			return false;
		out = int(value.outcome) - int(EL_DRAW);
		return true;
	}

	unsigned pieces() const { return el_engine_pieces(engine_.get()); }

private:
	struct Close {
		void operator()(el_engine *engine) const { el_engine_close(engine); }
	};
	std::unique_ptr<el_engine, Close> engine_;
	const el_metric *metric_ = el_engine_metric("wdl50");
};

static std::uint64_t on(int file, int rank)
{
	return std::uint64_t(1) << (8 * rank + file);
}

int main(int argc, char **argv)
try {
	const Tables tables(argc > 1 ? argv[1] : "/usr/share/endlab");
	std::atomic<int> wins(0), known(0);
	// White: Kb1, Qc2. Black: Kd5, and a rook on each square of the e-file.
	const auto ask = [&](int first, int last) {
		for (int rank = first; rank < last; rank++) {
			el_board board{};
			board.white = on(1, 0) | on(2, 1);
			board.black = on(3, 4) | on(4, rank);
			board.kings = on(1, 0) | on(3, 4);
			board.queens = on(2, 1);
			board.rooks = on(4, rank);
			int wdl = 0;
			if (tables.wdl(board, wdl)) {
				known++;
				wins += wdl == 2;
			}
		}
	};
	std::thread upper(ask, 4, 8);
	ask(0, 4);
	upper.join();
	std::cout << "up to " << tables.pieces() << " pieces; White wins " << wins << " of " << known << "\n";
	return 0;
} catch (const std::exception &e) {
	std::cerr << e.what() << "\n";
	return 1;
}
