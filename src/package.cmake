# SPDX-License-Identifier: MIT
# What is installed, and the packages that cpack makes of it. The scripts keep the place that they have in
# the sources, beside results/published, so that they run from where they are installed.
include(GNUInstallDirs)

install(TARGETS allocbench)
install(DIRECTORY include/allocbench TYPE INCLUDE)
install(FILES README.md LICENSE TYPE DOC)

set(data ${CMAKE_INSTALL_DATADIR}/allocbench)
set(scripts tables compare plot record)
list(TRANSFORM scripts PREPEND scripts/ OUTPUT_VARIABLE script_files)
install(PROGRAMS ${script_files} DESTINATION ${data}/scripts)
install(DIRECTORY scripts/allocbench_results DESTINATION ${data}/scripts
        FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY results/published DESTINATION ${data}/results)
install(FILES results/README.md DESTINATION ${data}/results)

if(NOT CMAKE_SYSTEM_NAME STREQUAL "Windows")
  # bin/allocbench-compare and so on. The names of the scripts themselves are everybody's.
  file(RELATIVE_PATH from_bin ${CMAKE_INSTALL_FULL_BINDIR}
       ${CMAKE_INSTALL_FULL_DATADIR}/allocbench/scripts)
  foreach(name IN LISTS scripts)
    set(link ${PROJECT_BINARY_DIR}/links/allocbench-${name})
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/links)
    file(CREATE_LINK ${from_bin}/${name} ${link} SYMBOLIC)
    install(FILES ${link} TYPE BIN)
  endforeach()

  # The man page and the completion come from the program's own tables, so something that holds them
  # must run: a cross build without an emulator has neither.
  if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    add_executable(allocbench_documents
      src/harness/documents.c src/harness/manual.c src/harness/completion.c)
    target_link_libraries(allocbench_documents PRIVATE ab_scenarios ab_harness)
    set(documents ${PROJECT_BINARY_DIR}/documents)
    file(MAKE_DIRECTORY ${documents})
    add_custom_command(OUTPUT ${documents}/allocbench.1
      COMMAND allocbench_documents manual ${documents}/allocbench.1
      DEPENDS allocbench_documents VERBATIM)
    set(logic ${PROJECT_SOURCE_DIR}/scripts/completion.bash)
    add_custom_command(OUTPUT ${documents}/allocbench
      COMMAND allocbench_documents completion ${logic} ${documents}/allocbench
      DEPENDS allocbench_documents ${logic} VERBATIM)
    add_custom_target(documents ALL DEPENDS ${documents}/allocbench.1 ${documents}/allocbench)
    install(FILES ${documents}/allocbench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${documents}/allocbench
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  else()
    message(STATUS "Cross build without an emulator: no man page, no completion")
  endif()
endif()

set(CPACK_PACKAGE_VENDOR "the allocbench authors")
set(CPACK_PACKAGE_CONTACT "the allocbench authors <allocbench@localhost>")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DESCRIPTION_FILE ${PROJECT_SOURCE_DIR}/src/description.txt)
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_GENERATOR ZIP)
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Windows")
  list(APPEND CPACK_GENERATOR TGZ)
endif()
find_program(dpkg_deb dpkg-deb)
find_program(dpkg_shlibdeps dpkg-shlibdeps)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND dpkg_deb)
  list(APPEND CPACK_GENERATOR DEB)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION devel)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3 (>= 3.8)")
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS gnuplot-nox)
  if(dpkg_shlibdeps AND NOT CMAKE_CROSSCOMPILING)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  endif()
endif()
include(CPack)
