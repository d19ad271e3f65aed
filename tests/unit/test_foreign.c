/* SPDX-License-Identifier: MIT
 *
 * Foreign backends as text: what a user may write, the names that files get, the way to a worker.
 */
#include "test.h"

#include "harness/foreign.h"

static ab_foreign parsed(const char *text)
{
    ab_foreign foreign;
    ab_error error;

    CHECK(ab_is_foreign(text));
    if (!ab_foreign_parse(text, &foreign, &error)) {
        FAIL("%s: %s", text, error.text);
    }
    return foreign;
}

TEST(prefixes)
{
    CHECK_EQ(parsed("preload:/a/libx.so").kind, AB_FOREIGN_PRELOAD);
    CHECK_EQ(parsed("lib:/a/libx.so").kind, AB_FOREIGN_LIB);
    CHECK_STR(parsed("lib:/a/libx.so").prefix, "");
    CHECK_STR(parsed("lib:mi_@/a/libx.so").prefix, "mi_");
    CHECK_STR(parsed("lib:/opt/x@2/libx.so").prefix, "");
    CHECK_STR(parsed("lib:./x@2.so").prefix, "");
    CHECK_STR(parsed("preload:mi_@x.so").prefix, "");
    CHECK(strstr(parsed("lib:mi_@/a/b@c.so").path, "b@c.so") != NULL);
}

TEST(names_from_files)
{
    static const char *const names[][2] = {
        {"libjemalloc.so.2", "jemalloc"},
        {"libmimalloc.so.2.0", "mimalloc"},
        {"libtcmalloc_minimal.so.4", "tcmalloc_minimal"},
        {"my.dll", "my"},
        {"MY.DLL", "MY"},
        {"libx.1.dylib", "x.1"},
        {"library.so", "rary"},
        {"lib.so", "lib"},
        {".so", ".so"},
        {"x.sound", "x.sound"},
        {"x=1;2.so", "x_1_2"},
        {"libaaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeee.so",
         "aaaaaaaaaabbbbbbbbbbccccccccccddddddddd"},
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "lib:/folder.so/%s", names[i][0]);
        ab_foreign foreign = parsed(text);
        ab_foreign_make_name(&foreign);
        CHECK_STR(foreign.name, names[i][1]);
    }
}

TEST(what_is_refused)
{
    static const char *const texts[] = {"preload:", "lib:", "lib:@x.so", "lib:mi_@"};
    char text[3000] = "lib:/";
    ab_foreign foreign;
    ab_error error;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK(!ab_foreign_parse(texts[i], &foreign, &error));
    }
    memset(text + 5, 'x', sizeof text - 6);
    CHECK(!ab_foreign_parse(text, &foreign, &error));
    CHECK(!ab_is_foreign("malloc") && !ab_is_foreign("lib") && !ab_is_foreign("preload"));
}

TEST(paths_survive_as_text)
{
    static const char *const texts[] = {
        "preload:/a/libx.so",  "lib:/a/libx.so",       "lib:mi_@/a/libx.so", "lib:/a b/=;%.so",
        "preload:/%3D%/x.so;", "lib:/a=b/\xc3\xbc.so", "lib:/line\nbreak.so"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ab_foreign foreign = parsed(texts[i]), again;
        char text[4096];
        ab_error error;
        CHECK(ab_foreign_print(&foreign, text, sizeof text));
        CHECK(strpbrk(text, "=;\n") == NULL);
        CHECK(ab_foreign_read(text, &again, &error));
        CHECK(again.kind == foreign.kind);
        CHECK_STR(again.prefix, foreign.prefix);
        CHECK_STR(again.path, foreign.path);
    }
}
