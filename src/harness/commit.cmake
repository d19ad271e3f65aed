# SPDX-License-Identifier: MIT
# cmake -DSOURCE=DIR -DOUT=FILE -P commit.cmake: which commit is being built, as C. Runs with every
# build, since a commit changes no file that a compiler reads; the file is touched only when it changes.
# A tree out of `git archive` has its commit in commit.txt; one without either is `unknown`. A repository
# that merely lies around the tree is not asked.
cmake_minimum_required(VERSION 3.25)
set(commit unknown)
file(READ ${SOURCE}/src/harness/commit.txt archived)
if(archived MATCHES "^([0-9a-f]+)")
  string(SUBSTRING ${CMAKE_MATCH_1} 0 10 commit)
elseif(EXISTS ${SOURCE}/.git)
  find_program(git git)
  if(git)
    execute_process(COMMAND ${git} rev-parse --short=10 HEAD WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${git} diff --quiet HEAD WORKING_DIRECTORY ${SOURCE}
                    RESULT_VARIABLE changed OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(found)
    set(commit ${found})
    if(changed)
      string(APPEND commit "+changes")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
"/* Generated. */
#include \"run_facts.h\"

const char *ab_version_commit(void)
{
    return \"@commit@\";
}
")
