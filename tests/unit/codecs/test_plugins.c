/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plug-ins from folders and lists: which are loaded, which are refused and why, and what a table
   needs. */
#include "tests/fixtures/codec_fixture.h"
#include "tests/fixtures/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* The first `most` bytes of a file. */
static void copy(const char *from, const char *folder, const char *name, size_t most)
{
	static char bytes[1 << 20];
	FILE *source = fopen(from, "rb"), *copy = fopen(scratch_in(folder, name).text, "wb");
	assert_non_null(source);
	assert_non_null(copy);
	const size_t size = fread(bytes, 1, most < sizeof bytes ? most : sizeof bytes, source);
	assert_int_equal(fwrite(bytes, 1, size, copy), size);
	fclose(source);
	assert_int_equal(fclose(copy), 0);
}

static size_t plugins(void)
{
	size_t count = 0;
	while (el_plugin_at(count))
		count++;
	return count;
}

static size_t codecs(void)
{
	size_t count = 0;
	while (el_codec_at(count))
		count++;
	return count;
}

static void load(const char *places)
{
	struct el_error error;
	assert_int_equal(el_codec_load_places(places, &error), EL_OK);
}

static void assert_refused(size_t place, const char *path, const char *why)
{
	const struct el_plugin *plugin = el_plugin_at(place);
	assert_non_null(plugin);
	assert_string_equal(plugin->path, path);
	assert_null(plugin->codec);
	assert_non_null(plugin->refused);
	if (!strstr(plugin->refused, why))
		fail_msg("expected '%s' in '%s'", why, plugin->refused);
}

static void assert_missing(const char *name, const char *why)
{
	struct el_error error;
	assert_int_equal(el_codec_missing(name, &error), EL_UNREADABLE);
	assert_int_equal(error.status, EL_UNREADABLE);
	assert_string_equal(error.text, why);
}

static void test_folder_of_user(void **state)
{
	(void)state;
	char folder[EL_CODEC_FOLDER], lengthy[2 * EL_CODEC_FOLDER];
	setenv("HOME", "/home/ann", 1);
	setenv("XDG_DATA_HOME", "/data", 1);
	assert_string_equal(el_codec_folder(folder), "/data/endlab/plugins");
	assert_missing("x", "written by codec x, which is not loaded: put x.so into "
	                    "/data/endlab/plugins or set "
	                    "$ENDLAB_PLUGINS");
	setenv("XDG_DATA_HOME", "/home/ann/data", 1);
	assert_missing("x", "written by codec x, which is not loaded: put x.so into "
	                    "~/data/endlab/plugins or set "
	                    "$ENDLAB_PLUGINS");
	setenv("XDG_DATA_HOME", "/home/anna", 1);
	assert_missing("x", "written by codec x, which is not loaded: put x.so into "
	                    "/home/anna/endlab/plugins or "
	                    "set $ENDLAB_PLUGINS");
	setenv("XDG_DATA_HOME", "", 1);
	assert_string_equal(el_codec_folder(folder), "/home/ann/.local/share/endlab/plugins");
	memset(lengthy, 'x', sizeof lengthy - 1);
	lengthy[sizeof lengthy - 1] = '\0';
	setenv("HOME", lengthy, 1);
	assert_string_equal(el_codec_folder(folder), "");
	unsetenv("HOME");
	unsetenv("XDG_DATA_HOME");
	assert_string_equal(el_codec_folder(folder), "");
	assert_missing("x",
	               "written by codec x, which is not loaded: name its x.so in $ENDLAB_PLUGINS");
	assert_missing(
		"../x",
		"codec: found '../x', expected a name of lower-case letters; a newer endlab may "
		"know it");
}

/* Refused first, so that the rest provides the codec. */
static void test_unsafe(void **state)
{
	(void)state;
	static const char everyone[] = "not loaded because everyone may write to it";
	char folder[SCRATCH_PATH], why[4 * SCRATCH_PATH];
	const size_t first = plugins(), known = codecs();
	scratch_make(folder);
	copy(fixture_built("samples/pages.so"), folder, "pages.so", SIZE_MAX);
	const struct scratch_path file = scratch_in(folder, "pages.so");
	chmod(file.text, 0666);
	load(folder);
	assert_refused(first, file.text, everyone);
	snprintf(why, sizeof why, "written by codec pages: %s: %s; run 'chmod o-w' on it",
	         file.text, everyone);
	assert_missing("pages", why);
	load(file.text);
	assert_null(el_plugin_at(first + 1)); /* it is listed already */
	chmod(folder, 0777);
	load(folder);
	assert_refused(first + 1, folder, everyone);
	load(folder);
	assert_null(el_plugin_at(first + 2));
	chmod(folder, 0700);
	assert_int_equal(codecs(), known);
	scratch_remove(folder);
	if (geteuid())
		return; /* only root can give files away */
	scratch_make(folder);
	copy(fixture_built("samples/pages.so"), folder, "pages.so", SIZE_MAX);
	assert_int_equal(chown(scratch_in(folder, "pages.so").text, 54321, (gid_t)-1), 0);
	load(folder);
	assert_refused(first + 2, scratch_in(folder, "pages.so").text, "belongs to another user");
	assert_int_equal(chown(folder, 54321, (gid_t)-1), 0);
	load(folder);
	assert_refused(first + 3, folder, "belongs to another user");
	assert_int_equal(codecs(), known);
	scratch_remove(folder);
}

/* A truncated file does no harm, wherever it ends. */
static void test_cut_off(void **state)
{
	(void)state;
	char folder[SCRATCH_PATH];
	struct el_error error;
	struct stat about;
	const char *whole = fixture_built("samples/pages.so");
	assert_int_equal(stat(whole, &about), 0);
	scratch_make(folder);
	const struct scratch_path file = scratch_in(folder, "cut.so");
	for (size_t size = 0; size < (size_t)about.st_size / 4; size += size < 128 ? 1 : 509) {
		copy(whole, folder, "cut.so", size);
		assert_int_equal(el_codec_load(file.text, &error), EL_USAGE);
		if (!strstr(error.text, "cut.so: cannot be loaded: "))
			fail_msg("%s", error.text);
	}
	assert_non_null(strstr(error.text, "cut off after "));
	assert_null(el_codec_find("pages"));
	scratch_remove(folder);
}

static void test_places(void **state)
{
	(void)state;
	char folder[SCRATCH_PATH], list[8 * SCRATCH_PATH];
	const size_t first = plugins(), known = codecs();
	scratch_make(folder);
	load("");
	load(":::");
	load(folder);
	assert_int_equal(plugins(), first);
	copy(fixture_built("samples/pages.so"), folder, "b.so", SIZE_MAX);
	copy(fixture_built("plugins/no_codec.so"), folder, "a.so", SIZE_MAX);
	copy(fixture_built("plugins/old_version.so"), folder, "c.so", SIZE_MAX);
	copy(fixture_built("samples/pages.so"), folder, "d.so", SIZE_MAX);
	scratch_touch(folder, "e.so");
	scratch_touch(folder, ".f.so");
	scratch_touch(folder, "g.so.part");
	scratch_touch(folder, ".so");
	assert_int_equal(symlink("b.so", scratch_in(folder, "h.so").text), 0);
	const struct scratch_path none = scratch_in(folder, "none");
	snprintf(list, sizeof list, "%s::%s:%s/:", none.text, folder, folder);
	load(list);
	assert_refused(first, none.text, "No such file or directory");
	assert_refused(first + 1, scratch_in(folder, "a.so").text, "defines no el_codec_plugin");
	const struct el_plugin *loaded = el_plugin_at(first + 2);
	assert_non_null(loaded);
	assert_string_equal(loaded->path, scratch_in(folder, "b.so").text);
	assert_null(loaded->refused);
	assert_non_null(loaded->codec);
	assert_ptr_equal(loaded->codec, el_codec_find("pages"));
	assert_ptr_equal(loaded->codec, el_codec_at(known));
	assert_int_equal(codecs(), known + 1);
	assert_refused(first + 3, scratch_in(folder, "c.so").text,
	               "expected a codec of interface version");
	assert_refused(first + 4, scratch_in(folder, "d.so").text, "codec 'pages' already exists");
	assert_refused(first + 5, scratch_in(folder, "e.so").text, "cannot be loaded");
	assert_null(el_plugin_at(first + 6));
	scratch_remove(folder);
}

/* Without a list: the variable, then the user's folder, which need not exist. */
static void test_usual_places(void **state)
{
	(void)state;
	char folder[SCRATCH_PATH];
	const size_t first = plugins();
	scratch_make(folder);
	setenv("XDG_DATA_HOME", folder, 1);
	unsetenv("ENDLAB_PLUGINS");
	load(NULL);
	const size_t installed = plugins() - first;
	setenv("ENDLAB_PLUGINS", scratch_in(folder, "none").text, 1);
	load(NULL);
	assert_refused(first + installed, scratch_in(folder, "none").text,
	               "No such file or directory");
	const struct scratch_path endlab = scratch_in(folder, "endlab"),
				  own = scratch_in(folder, "endlab/plugins");
	assert_int_equal(mkdir(endlab.text, 0700) || mkdir(own.text, 0700), 0);
	scratch_touch(own.text, "mine.so");
	unsetenv("ENDLAB_PLUGINS");
	load(NULL);
	assert_refused(first + installed + 1, scratch_in(folder, "endlab/plugins/mine.so").text,
	               "cannot be loaded");
	scratch_remove(own.text);
	scratch_remove(endlab.text);
	scratch_remove(folder);
}

/* Of too many plug-ins, the last says so, and no codec takes its place. Later ones go
   unmentioned. */
static void test_too_many(void **state)
{
	(void)state;
	enum { MANY = 80 };
	char folder[SCRATCH_PATH];
	struct el_error error;
	scratch_make(folder);
	for (unsigned i = 0; i < MANY; i++) {
		char name[16];
		snprintf(name, sizeof name, "%02u.so", i);
		scratch_touch(folder, name);
	}
	load(folder);
	const size_t count = plugins();
	assert_true(count < MANY);
	assert_null(el_plugin_at(count - 1)->codec);
	assert_string_equal(el_plugin_at(count - 1)->refused,
	                    "too many plug-ins: this one and all behind it are not used");
	assert_non_null(strstr(el_plugin_at(count - 2)->refused, "cannot be loaded"));
	load(folder);
	assert_int_equal(plugins(), count);
	const size_t known = codecs();
	if (!access(fixture_built("samples/lz4.so"), F_OK)) {
		assert_int_equal(el_codec_load(fixture_built("samples/lz4.so"), &error), EL_USAGE);
		assert_non_null(strstr(error.text, "too many plug-ins"));
	}
	assert_int_equal(codecs(), known);
	scratch_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folder_of_user), cmocka_unit_test(test_unsafe),
		cmocka_unit_test(test_cut_off),        cmocka_unit_test(test_places),
		cmocka_unit_test(test_usual_places),   cmocka_unit_test(test_too_many),
	};
	umask(022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
