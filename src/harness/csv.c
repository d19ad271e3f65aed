/* SPDX-License-Identifier: MIT
 *
 * The CSV of DESIGN: columns from columns.def, LF, empty fields for what is not available; and the
 * raw samples. See sink.h.
 */
#include "sink.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static int write_out(ab_output *out, ab_text *text)
{
    ab_text_make_utf8(text);
    int code =
        text->is_short ? ab_out_of_memory_code() : ab_output_write(out, text->bytes, text->length);

    ab_text_free(text);
    return code;
}

static void add_value(ab_text *text, const ab_column *column, const ab_row *row)
{
    const char *member = (const char *)row + column->offset;
    const char *string;
    uint64_t count;
    double real;

    switch (column->kind) {
    case AB_COLUMN_TEXT:
        memcpy(&string, member, sizeof string);
        if (string != NULL) {
            ab_text_add_field(text, string);
        }
        break;
    case AB_COLUMN_COUNT:
        memcpy(&count, member, sizeof count);
        if (count != AB_NO_COUNT) {
            ab_text_add(text, "%" PRIu64, count);
        }
        break;
    case AB_COLUMN_REAL:
        memcpy(&real, member, sizeof real);
        if (isfinite(real)) {
            ab_text_add(text, "%.9g", real);
        }
        break;
    }
}

int ab_csv_begin(ab_output *out, const ab_text *facts)
{
    ab_text text = {0};

    ab_text_add(&text, "%s", facts->length > 0 ? facts->bytes : "");
    for (size_t i = 0; i < ab_column_count; i++) {
        ab_text_add(&text, "%s%s", i == 0 ? "" : ",", ab_columns[i].name);
    }
    ab_text_add(&text, "\n");
    return write_out(out, &text);
}

int ab_csv_rows(ab_output *out, const ab_rows *rows)
{
    ab_text text = {0};

    for (size_t i = 0; i < rows->count; i++) {
        for (size_t j = 0; j < ab_column_count; j++) {
            if (j > 0) {
                ab_text_add(&text, ",");
            }
            add_value(&text, &ab_columns[j], &rows->row[i]);
        }
        ab_text_add(&text, "\n");
    }
    return rows->count == 0 ? 0 : write_out(out, &text);
}

int ab_raw_begin(ab_output *out, const ab_text *facts)
{
    ab_text text = {0};

    ab_text_add(&text,
                "%sscenario,op,size_bytes,count,threads,variant,backend,process,round,position,ops,"
                "passes,wall_ns,user_ns,sys_ns,minor_faults,major_faults,involuntary_switches\n",
                facts->length > 0 ? facts->bytes : "");
    return write_out(out, &text);
}

static void add_count(ab_text *text, uint64_t count)
{
    if (count == AB_NO_COUNT) {
        ab_text_add(text, ",");
    } else {
        ab_text_add(text, ",%" PRIu64, count);
    }
}

static void add_raw(ab_text *text, const ab_group_result *result, unsigned operation, size_t cell,
                    unsigned process, unsigned round)
{
    const ab_group *group = result->group;
    const ab_taken *taken = ab_taken_at(result, cell, operation, process, round);
    const ab_sample *s = &taken->sample;
    ab_key key = group->scenario->key(group->params.bytes);
    char variant[512];

    if (s->passes == 0) {
        return;
    }
    ab_group_variant(group, group->scenario->is_single_pass ? round + 1 : 0, variant,
                     sizeof variant);
    ab_text_add(text, "%s,%s", group->scenario->name, group->scenario->operations[operation].name);
    add_count(text, key.size_bytes);
    add_count(text, key.count);
    add_count(text, key.threads);
    ab_text_add(text, ",");
    ab_text_add_field(text, variant);
    ab_text_add(text, ",");
    ab_text_add_field(text, group->cells[cell].name);
    const uint64_t counts[] = {process + 1u,
                               round + 1u,
                               taken->position,
                               s->ops,
                               s->passes,
                               s->wall_ns,
                               s->user_ns,
                               s->sys_ns,
                               s->minor_faults,
                               s->major_faults,
                               s->involuntary_switches};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        add_count(text, counts[i]);
    }
    ab_text_add(text, "\n");
}

int ab_raw_group(ab_output *out, const ab_group_result *result)
{
    const ab_group *group = result->group;
    ab_text text = {0};

    for (unsigned i = 0; i < group->scenario->operation_count; i++) {
        for (size_t j = 0; j < group->cell_count; j++) {
            for (unsigned p = 0; p < group->processes; p++) {
                for (unsigned r = 0; r < group->rounds; r++) {
                    add_raw(&text, result, i, j, p, r);
                }
            }
        }
    }
    return text.length == 0 && !text.is_short ? 0 : write_out(out, &text);
}
