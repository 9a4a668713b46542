# SPDX-License-Identifier: GPL-2.0-or-later
# Which Debian packages the programs contain parts of: libraries that are headers only, and archives. Their
# copyright files become part of ours, and the package names their exact sources. Included from
# package.cmake. Sets KW_BUILT_USING, KW_STATIC_BUILT_USING and KW_CONTAINED, the text for the copyright file.
set(KW_BUILT_USING "")
set(KW_STATIC_BUILT_USING "")
set(KW_CONTAINED "")

set(parts /usr/include/CLI/CLI.hpp /usr/include/nlohmann/json.hpp /usr/include/tl/expected.hpp
          /usr/include/toml++/toml.h)
if(KW_STATIC)
  list(APPEND parts ${KW_ARCHIVES})
  # Built from the source of this package; an archive in a cache is of no package.
  list(FILTER parts EXCLUDE REGEX "/libxapian[.]a$")
  list(APPEND parts /usr/include/xapian.h)
  if(TARGET kw_fmt)
    list(APPEND parts /usr/include/fmt/format-inl.h)
  endif()
  if(KW_STATIC_RUNTIME)
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.a
                    OUTPUT_VARIABLE runtime OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND parts ${runtime})
  endif()
endif()

find_program(KW_DPKG_QUERY dpkg-query)
set(sources)
foreach(part ${parts})
  if(NOT KW_DPKG_QUERY)
    break()
  endif()
  execute_process(COMMAND ${KW_DPKG_QUERY} -S ${part} OUTPUT_VARIABLE owner ERROR_QUIET)
  if(NOT owner MATCHES "^([^ ,]+): ")
    continue()
  endif()
  set(package ${CMAKE_MATCH_1})
  execute_process(COMMAND ${KW_DPKG_QUERY} -W -f "\${source:Package};\${source:Version}" ${package}
                  OUTPUT_VARIABLE source)
  list(GET source 0 name)
  list(GET source 1 version)
  if(name IN_LIST sources)
    continue()
  endif()
  list(APPEND sources ${name})
  string(APPEND KW_CONTAINED "\n  ${name} ${version}")
  # Policy keeps Built-Using for what a licence asks for: of these, the GPL of Xapian.
  if(name STREQUAL "xapian-core")
    set(KW_BUILT_USING "${name} (= ${version})")
  else()
    list(APPEND KW_STATIC_BUILT_USING "${name} (= ${version})")
  endif()
  string(REGEX REPLACE ":.*" "" package ${package})
  get_filename_component(copyright /usr/share/doc/${package}/copyright REALPATH)
  if(EXISTS ${copyright})
    install(FILES ${copyright} DESTINATION ${CMAKE_INSTALL_DOCDIR}/copyright.d RENAME ${name})
  endif()
endforeach()
list(JOIN KW_STATIC_BUILT_USING ", " KW_STATIC_BUILT_USING)
