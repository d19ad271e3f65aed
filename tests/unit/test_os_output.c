/* SPDX-License-Identifier: MIT
 *
 * Result files: nothing destroyed before begin, nothing left behind, nothing half written.
 */
#include "test.h"
#include "test_os_platform.h"

#include "os/output.h"
#include "os/process.h"

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_EQ(fwrite(text, 1, strlen(text), file), strlen(text));
    CHECK_EQ(fclose(file), 0);
}

static const char *get_file(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        return NULL;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

TEST(existing_file_is_kept_until_begin)
{
    const char *path = "test_os_output_existing.tmp";
    ab_output out;

    put_file(path, "old contents\n");
    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK(!out.is_created);
    CHECK(out.is_regular);
    CHECK_STR(get_file(path), "old contents\n");
    ab_output_abandon(&out, path);
    CHECK_EQ(out.handle, -1);
    CHECK_STR(get_file(path), "old contents\n");

    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK_EQ(ab_output_begin(&out), 0);
    CHECK_STR(get_file(path), "");
    CHECK_EQ(ab_output_write(&out, "new\n", 4), 0);
    CHECK_STR(get_file(path), "new\n"); /* unbuffered */
    CHECK_EQ(ab_output_write(&out, "er\n", 3), 0);
    CHECK_EQ(out.bytes, 7);
    CHECK_EQ(ab_output_close(&out), 0);
    CHECK_STR(get_file(path), "new\ner\n");
    CHECK_EQ(remove(path), 0);
}

TEST(abandoned_new_file_is_removed)
{
    const char *path = "test_os_output_new.tmp";
    ab_output out;

    (void)remove(path);
    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK(out.is_created);
    CHECK(get_file(path) != NULL);
    ab_output_abandon(&out, path);
    CHECK(get_file(path) == NULL);
    CHECK_EQ(ab_output_close(&out), 0); /* again: nothing */
}

TEST(utf8_names)
{
    const char *path = "test_os_output_gr\xC3\xBC\xC3\x9F_\xE2\x82\xAC.tmp";
    ab_output out;

    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK_EQ(ab_output_begin(&out), 0);
    CHECK_EQ(ab_output_write(&out, "x", 1), 0);
    out.is_created = true; /* also when an earlier run left it */
    ab_output_abandon(&out, path);
    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK(out.is_created);
    ab_output_abandon(&out, path);
}

TEST(bad_places_are_codes)
{
    static const char *const paths[] = {".", "", "no/such/folder/file.tmp"};
    char text[128];

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        ab_output out;
        int code = ab_output_open(&out, paths[i]);
        CHECK(code > 0);
        CHECK_EQ(out.handle, -1);
        ab_os_error_text(code, text, sizeof text);
        CHECK(text[0] != '\0' && strpbrk(text, "\r\n") == NULL);
    }
    ab_os_error_text(1, text, 4);
    CHECK(strlen(text) <= 3);
}

TEST(null_device_swallows)
{
    ab_output out;

    CHECK_EQ(ab_output_open(&out, test_null_device()), 0);
    CHECK(!out.is_regular);
    CHECK(!out.is_created);
    CHECK_EQ(ab_output_begin(&out), 0);
    CHECK_EQ(ab_output_write(&out, "x", 1), 0);
    ab_output_abandon(&out, test_null_device());
    CHECK_EQ(ab_output_open(&out, test_null_device()), 0);
    CHECK_EQ(ab_output_close(&out), 0);
}

TEST(full_device_is_told)
{
    ab_output out;

    if (get_file("/dev/full") == NULL) {
        SKIP("no /dev/full here");
    }
    CHECK_EQ(ab_output_open(&out, "/dev/full"), 0);
    CHECK_EQ(ab_output_begin(&out), 0);
    CHECK(ab_output_write(&out, "x", 1) > 0);
    CHECK_EQ(out.bytes, 0);
    (void)ab_output_close(&out);
}

TEST(short_write_is_cut_back)
{
    const char *path = "test_os_output_short.tmp";
    ab_output out;

    ab_signals_install(); /* the limit comes as a signal otherwise */
    if (!test_limit_file_size(20)) {
        SKIP("no file size limit here");
    }
    (void)remove(path);
    CHECK_EQ(ab_output_open(&out, path), 0);
    CHECK_EQ(ab_output_begin(&out), 0);
    CHECK_EQ(ab_output_write(&out, "first line\n", 11), 0);
    CHECK(ab_output_write(&out, "second, too long\n", 17) > 0);
    CHECK_EQ(out.bytes, 11);
    CHECK_STR(get_file(path), "first line\n");
    CHECK_EQ(ab_output_write(&out, "third\n", 6), 0);
    CHECK_STR(get_file(path), "first line\nthird\n");
    CHECK_EQ(ab_output_close(&out), 0);
    CHECK(test_limit_file_size(UINT64_MAX)); /* what counts lines writes a file at the end */
    CHECK_EQ(remove(path), 0);
}

TEST(same_file_is_known)
{
    ab_output one;
    ab_output other;

    CHECK_EQ(ab_output_open(&one, "test_os_output_one.tmp"), 0);
    CHECK_EQ(ab_output_open(&other, "test_os_output_other.tmp"), 0);
    CHECK(ab_output_is_same(&one, &one));
    CHECK(!ab_output_is_same(&one, &other));
    ab_output_abandon(&one, "test_os_output_one.tmp");
    ab_output_abandon(&other, "test_os_output_other.tmp");
}

TEST(standard_streams)
{
    ab_output out;

    ab_output_standard(&out, true);
    CHECK(out.is_standard);
    CHECK_EQ(ab_output_write(&out, "gr\xC3\xBC\xC3\x9F\n", 7), 0);
    CHECK_EQ(ab_output_close(&out), 0);
    CHECK(ab_terminal_columns(true) > 0);
    CHECK(ab_terminal_columns(false) > 0);
    if (ab_terminal_is_smart(true)) {
        CHECK(ab_terminal_is_terminal(true));
    }
}
