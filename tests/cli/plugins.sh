#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the program finds plug-ins, which it refuses, and what it says of a table whose codec is not loaded.
. "$(dirname "$0")/common"
: "${BUILD:?where plug-ins were built}"
if [ ! -e "$BUILD/samples/pages.so" ]; then
	skip 'no plug-ins here'
	exit
fi
umask 022
HOME=$T/home
export HOME
unset XDG_DATA_HOME
FOLDER=$HOME/.local/share/endlab/plugins
POSITION='8/8/8/3k4/8/8/2Q5/1K6 w - -'
mkdir -p "$FOLDER"
cp "$BUILD/samples/pages.so" "$T/pages.so"
endlab --plugin "$T/pages.so" build KQvK --codec pages >/dev/null 2>&1
TABLE=$ENDLAB_DIR/KQvK.dtm.egt

# ---- a table whose codec is not loaded ----
wants='written by codec pages, which is not loaded: put pages\.so into ~/\.local/share/endlab/plugins or set \$ENDLAB_PLUGINS'
answers 'list' 0 "^ignored +$TABLE: $wants\$" endlab list
answers 'probe' 1 "^  KQvK\.dtm\.egt: $wants\$" endlab probe "$POSITION"
answers 'probe --tsv' 1 "${TAB}error${TAB}$TABLE: $wants\$" endlab probe --tsv "$POSITION"
answers 'probe --json' 1 "\"error\":\"$TABLE: $wants\"" endlab probe --json "$POSITION"
for command in stats verify lab records check 'export --format csv -o $T'; do
	word=${command%% *}
	# shellcheck disable=SC2086
	refuses "$word" 1 "$word: $TABLE: $wants\$" endlab $command KQvK
done
refuses 'line' 1 "line: $TABLE: $wants\$" endlab line "$POSITION"
refuses 'verify a file' 1 "$TABLE: $wants\$" endlab verify "$TABLE"
refuses 'recode' 1 "$TABLE: $wants\$" endlab recode "$TABLE" -o "$T/new.egt"
answers 'build' 1 "$TABLE: $wants; run 'endlab build KQvK --replace'" endlab build KQvK
run env XDG_DATA_HOME="$T/data" "$ENDLAB" list
grep -qF "put pages.so into $T/data/endlab/plugins or" "$T/out"
verdict 'the folder in $XDG_DATA_HOME'
run env -u HOME "$ENDLAB" list
grep -q 'written by codec pages, which is not loaded: name its pages\.so in \$ENDLAB_PLUGINS$' "$T/out"
verdict 'no folder without a home'

# ---- the folder, and the variable ----
cp "$T/pages.so" "$FOLDER/"
answers 'the folder: its codecs are loaded' 0 "^plug-in +pages: $FOLDER/pages\.so\$" endlab list
answers 'the folder: the table is read' 0 '^KQvK +dtm .*pages' endlab list
answers 'the folder: the position is known' 0 'White to move wins' endlab probe "$POSITION"
answers 'the folder: verified' 0 'KQvK' endlab verify KQvK
answers 'the folder: help lists the codec' 0 '^  pages ' endlab build --help
run endlab --man
! grep -q pages "$T/out"
verdict 'the manual page does not depend on plug-ins'
answers 'named again, it is the same' 0 '^KQvK +dtm .*pages' endlab --plugin "$FOLDER/pages.so" list
[ "$(grep -c pages.so "$T/out")" -eq 1 ] && [ ! -s "$T/err" ]
verdict 'named again, it is listed once'
answers 'another one of that name goes first' 0 "^ignored +$FOLDER/pages\.so: codec 'pages' already exists\$" \
	endlab --plugin "$T/pages.so" list
grep -q "^plug-in  pages: $T/pages.so\$" "$T/out"
verdict 'and is listed'
run env ENDLAB_DIR= "$ENDLAB" list
[ "$status" -eq 0 ] && grep -q '^no tables in' "$T/out" && ! grep -q '^ignored' "$T/out"
verdict 'where tables are kept by default it is no strange file'
rm "$FOLDER/pages.so"
for places in "$T/pages.so" "$BUILD/samples" "$T/none:$BUILD/samples:" ":$T/pages.so:$T/pages.so"; do
	run env ENDLAB_PLUGINS="$places" "$ENDLAB" probe "$POSITION"
	[ "$status" -eq 0 ] && grep -q 'White to move wins' "$T/out" && [ ! -s "$T/err" ]
	verdict "the variable: ${places#"$T"}"
done
run env ENDLAB_PLUGINS="$T/none" "$ENDLAB" list
[ "$status" -eq 0 ] && grep -q "^ignored  $T/none: No such file or directory\$" "$T/out"
verdict 'the variable: what is not there is listed'

# ---- refusals ----
cp "$BUILD"/plugins/old_version.so "$BUILD"/plugins/no_codec.so "$T/pages.so" "$FOLDER/"
echo text >"$FOLDER/text.so"
head -c 5000 "$T/pages.so" >"$FOLDER/cut.so"
ln -s nowhere "$FOLDER/link.so"
mkdir "$FOLDER/folder.so"
: >"$FOLDER/.hidden.so"
: >"$FOLDER/README"
run endlab list
cat >"$T/expected" <<END
cut.so: cannot be loaded: cut off after 5000 bytes, expected at least
folder.so: cannot be loaded: expected a file, found a folder
link.so: No such file or directory
no_codec.so: defines no el_codec_plugin
old_version.so: expected a codec of interface version
text.so: cannot be loaded:
END
missing=0
while read -r line; do
	grep -qF "ignored  $FOLDER/$line" "$T/out" || missing=1
done <"$T/expected"
[ "$status" -eq 0 ] && [ "$missing" -eq 0 ] && [ ! -s "$T/err" ] && grep -q '^KQvK' "$T/out" &&
	[ "$(grep -c '^ignored' "$T/out")" -eq 6 ]
verdict 'a broken file stops nothing and is listed with the reason'
run endlab list --json
[ "$status" -eq 0 ] && grep -qF "{\"path\":\"$FOLDER/no_codec.so\",\"codec\":null,\"ignored\":\"defines no el_codec_plugin\"}" "$T/out" &&
	grep -qF "{\"path\":\"$FOLDER/pages.so\",\"codec\":\"pages\",\"ignored\":null}" "$T/out"
verdict 'json: plug-ins with path, codec and reason'
cp "$BUILD/plugins/old_version.so" "$FOLDER/pages.so"
answers 'a table names what is wrong with its plug-in' 1 \
	"$TABLE: written by codec pages: $FOLDER/pages\.so: expected a codec of interface version" endlab verify KQvK
rm -r "$FOLDER" && mkdir "$FOLDER" && cp "$T/pages.so" "$FOLDER/"
everyone="not loaded because everyone may write to it; run 'chmod o-w' on it"
chmod o+w "$FOLDER/pages.so"
answers 'a file that everyone may write to' 1 "written by codec pages: $FOLDER/pages\.so: $everyone" endlab verify KQvK
chmod o-w "$FOLDER/pages.so"
chmod o+w "$FOLDER"
answers 'a folder that everyone may write to' 1 "written by codec pages: $FOLDER: $everyone" endlab verify KQvK
answers 'it is listed' 0 "^ignored  $FOLDER: $everyone\$" endlab list
run env ENDLAB_PLUGINS="$FOLDER" "$ENDLAB" list
grep -q "^ignored  $FOLDER: not loaded" "$T/out" && [ "$(grep -c "^ignored  $FOLDER" "$T/out")" -eq 1 ]
verdict 'nor is it loaded when it is named'
chmod o-w "$FOLDER"
if chown 54321 "$FOLDER/pages.so" 2>/dev/null; then
	answers "another user's file" 1 "$FOLDER/pages\.so: not loaded because it belongs to another user" endlab verify KQvK
	chown 0 "$FOLDER/pages.so" && chown 54321 "$FOLDER"
	answers "another user's folder" 1 "$FOLDER: not loaded because it belongs to another user" endlab verify KQvK
	chown 0 "$FOLDER"
else
	skip 'files of another user need root'
fi
answers 'after that it is loaded again' 0 'KQvK' endlab verify KQvK
