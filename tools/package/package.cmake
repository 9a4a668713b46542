# SPDX-License-Identifier: GPL-2.0-or-later
# What `cmake --install` puts where, and the Debian package that CPack makes of it. Included from
# CMakeLists.txt, which has the version.
include(GNUInstallDirs)
set(package_files ${CMAKE_SOURCE_DIR}/tools/package)
set(made ${CMAKE_BINARY_DIR}/package)
file(MAKE_DIRECTORY ${made}/man ${made}/bash ${made}/zsh ${made}/fish)

install(TARGETS kwindex kwsearch kwexport RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The manual, where scdoc is there to make it.
find_program(KW_SCDOC scdoc)
if(KW_SCDOC)
  foreach(page kwindex.1 kwsearch.1 kwexport.1 kwsearch-query.7 kwsearch-database.5)
    string(REGEX MATCH "[0-9]$" section ${page})
    add_custom_command(
      OUTPUT ${made}/man/${page}.gz
      COMMAND ${KW_SCDOC} < ${CMAKE_SOURCE_DIR}/docs/man/${page}.scd > ${made}/man/${page}
      COMMAND gzip -9nf ${made}/man/${page}
      DEPENDS docs/man/${page}.scd VERBATIM)
    list(APPEND made_files ${made}/man/${page}.gz)
    install(FILES ${made}/man/${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  endforeach()
else()
  message(STATUS "no manual: there is no scdoc")
endif()

# Completion, printed by the programs. Where zsh looks depends on the prefix, see install.cmake.
foreach(program kwindex kwsearch kwexport)
  set(bash ${made}/bash/${program})
  set(zsh ${made}/zsh/_${program})
  set(fish ${made}/fish/${program}.fish)
  add_custom_command(
    OUTPUT ${bash} ${zsh} ${fish}
    COMMAND ${program} --completion bash > ${bash}
    COMMAND ${program} --completion zsh > ${zsh}
    COMMAND ${program} --completion fish > ${fish}
    DEPENDS ${program} VERBATIM)
  list(APPEND made_files ${bash} ${zsh} ${fish})
  install(FILES ${bash} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${fish} DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endforeach()

# Debian's own changelog has one entry: where to read on.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(KW_MAINTAINER "kwsearch maintainers <maintainers@kwsearch.invalid>" CACHE STRING
    "who answers for the Debian package that you build")
configure_file(${package_files}/changelog.in ${made}/changelog @ONLY)
add_custom_command(
  OUTPUT ${made}/changelog.gz
  COMMAND gzip -9nc ${made}/changelog > ${made}/changelog.gz
  DEPENDS ${made}/changelog VERBATIM)
add_custom_target(package_files ALL DEPENDS ${made_files} ${made}/changelog.gz)

include(${package_files}/contained.cmake)
configure_file(${package_files}/copyright.in ${made}/copyright @ONLY)
install(FILES ${made}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${made}/changelog.gz README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${package_files}/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
        RENAME kwsearch)
# As they lie in the source, so that links between them hold.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs PATTERN man EXCLUDE)
install(CODE "set(source [==[${CMAKE_SOURCE_DIR}]==])\nset(made [==[${made}]==])")
install(SCRIPT ${package_files}/install.cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kwsearch)
set(CPACK_PACKAGE_VENDOR kwsearch)
set(CPACK_PACKAGE_CONTACT ${KW_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "keyword search for large trees of documentation and code")
set(CPACK_PACKAGE_DESCRIPTION
    "kwindex makes one index of a tree of Markdown and source files, kwsearch
answers questions from it, the file that defines a name first, and kwexport
writes a keyword page for each file, or a site with its own search.")
# The unit and completion of zsh are placed by the prefix, so it must be the real one.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION text)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS universal-ctags)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS xapian-tools)  # serves an index to other machines
# CPack has no variable for these fields, and writes a value as it is: they follow on lines of their own.
if(KW_BUILT_USING)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS "\nBuilt-Using: ${KW_BUILT_USING}")
endif()
if(KW_STATIC_BUILT_USING)
  string(APPEND CPACK_DEBIAN_PACKAGE_SUGGESTS "\nStatic-Built-Using: ${KW_STATIC_BUILT_USING}")
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
