/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of `probe --json` say, field by field: a part of the command's help. */
#ifndef ENDLAB_CLI_PROBE_FIELDS_H
#define ENDLAB_CLI_PROBE_FIELDS_H

#define PROBE_FIELDS_HELP \
	"The object of --json has these fields, in this order. A number that no table tells, or that the game " \
	"does not have, is null. Depths are in plies.\n" \
	"  fen          the position as given; of EPD the position alone, with its clocks\n" \
	"  error        of a line that is not a position: why. It then has no other field\n" \
	"  game         its name\n" \
	"  slice        its material, such as KQvKR; null where slices do not have it\n" \
	"  wdl          without any rule, for the side to move: win, draw, loss, unknown,\n" \
	"               at-least-draw or at-most-draw\n" \
	"  dtm dtc dtz  depths: to mate; to the next capture, promotion or mate; to the\n" \
	"               next capture, pawn move or mate\n" \
	"  dtw          depth to the end of a game that does not end in mate\n" \
	"  wdl50        under the rule, with what is on the clock: win, cursed-win, draw,\n" \
	"               blessed-loss, loss or unknown; under --rule 20 wdl20, and so on\n" \
	"  dtz50        dtz under the rule, with the clock at 0; or dtz20, and so on\n" \
	"  dtr dtzr     the least limit of a rule under which it is won; dtz when both\n" \
	"               sides look to that first\n" \
	"  score        stones that the side to move gains from here on\n" \
	"  rounded      true where a depth may be a ply more; else not there\n" \
	"  clock        half-moves since the last capture or pawn move\n" \
	"  rule         the moves after which the rule makes a draw; null: none\n" \
	"  moves        the legal moves, best first, each with the fields below\n" \
	"  from_moves   true: no table covers the position, its moves answered\n" \
	"  why_unknown  which table is missing, or what else; null: nothing is\n" \
	"  sources      what each table of the slice says, each with the fields below\n" \
	"A move has these; its values are seen from the side that moves.\n" \
	"  uci          b1b8; where squares have numbers it is called pdn\n" \
	"  san          Qb8#\n" \
	"  wdl ...      as above, from wdl to rounded\n" \
	"  only         true: every other move has a worse outcome\n" \
	"  replies      of the opponent, whose value is known; only where several moves\n" \
	"               are equally good, as is the next\n" \
	"  mistakes     of them: those with a worse outcome than the best reply\n" \
	"A source has these.\n" \
	"  path         of the file\n" \
	"  metric       of the table\n" \
	"  outcome      what it says, as in wdl and wdl50\n" \
	"  plies        the depth, or null; where stones are counted, \"stones\"\n" \
	"  rounded      may the depth be a ply more?\n" \
	"  error        why it does not tell; null: it does\n" \
	"  contradicts  the path of a table that cannot be right beside it; null: none\n"

#endif
