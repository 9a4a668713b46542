# SPDX-License-Identifier: GPL-2.0-or-later
# Finds the libraries, each as PkgConfig::NAME, shared or as archives. Included from CMakeLists.txt.
#
# With KW_XAPIAN=static kwsearch needs no shared library, the others libc's own (kwindex: simdjson and
# libstdc++, too), and a search takes half the time. tools/fetch_xapian builds the archive of Xapian, for
# Debian has none; nothing here uses the network. Sanitizers and fuzzers watch the shared library by default.
set(KW_XAPIAN "" CACHE STRING "static, shared; empty: static where tools/fetch_xapian has built it")
set_property(CACHE KW_XAPIAN PROPERTY STRINGS "" static shared)
if(NOT KW_XAPIAN MATCHES "^(static|shared)?$")
  message(FATAL_ERROR "KW_XAPIAN is '${KW_XAPIAN}', and must be static or shared")
endif()

# The folder of libxapian.a and the version of its source, known to tools/fetch_xapian alone.
set(KW_STATIC OFF)
if(KW_XAPIAN STREQUAL "static" OR NOT (KW_XAPIAN OR KW_SANITIZE OR KW_FUZZ))
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER} ${CMAKE_SOURCE_DIR}/tools/fetch_xapian --where
    OUTPUT_VARIABLE where OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  string(REPLACE "\n" ";" where "${where}")
  if(status EQUAL 0)
    list(GET where 0 xapian_folder)
    list(GET where 1 KW_XAPIAN_VERSION)
    if(EXISTS ${xapian_folder}/libxapian.a)
      set(KW_STATIC ON)
    endif()
  endif()
endif()
if(KW_STATIC)
  message(STATUS "Xapian: static, ${KW_XAPIAN_VERSION}, from ${xapian_folder}")
elseif(KW_XAPIAN STREQUAL "static")
  message(FATAL_ERROR "there is no static Xapian for this compiler; build it with: tools/fetch_xapian")
elseif(KW_XAPIAN OR KW_SANITIZE OR KW_FUZZ)
  message(STATUS "Xapian: shared")
else()
  message(STATUS "Xapian: shared; for a faster search: tools/fetch_xapian")
endif()

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# kw_find_library(NAME MODULE [FOLDER]): PkgConfig::NAME for a module of pkg-config. In a static build it is the
# module's archives, if all of them are there (first in FOLDER); KW_ARCHIVES collects these.
set(KW_ARCHIVES)
macro(kw_find_library name module)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
  if(KW_STATIC)
    set(archives)
    foreach(library ${${name}_STATIC_LIBRARIES})
      # Parts of libc are shared, as it is.
      if(library MATCHES "^(c|m|dl|rt|pthread)$")
        continue()
      endif()
      find_library(KW_ARCHIVE_${library} NAMES lib${library}.a
                   HINTS ${ARGN} ${${name}_STATIC_LIBRARY_DIRS} ${${name}_LIBDIR})
      list(APPEND archives ${KW_ARCHIVE_${library}})
    endforeach()
    if(archives AND NOT archives MATCHES NOTFOUND)
      set_target_properties(PkgConfig::${name} PROPERTIES INTERFACE_LINK_LIBRARIES "${archives}")
      list(APPEND KW_ARCHIVES ${archives})
    endif()
  endif()
endmacro()

# By pkg-config: the CMake files of Debian's cmark want its command line too.
kw_find_library(XAPIAN xapian-core ${xapian_folder})
kw_find_library(CMARK libcmark)
kw_find_library(GUMBO gumbo)
kw_find_library(ZSTD libzstd)
kw_find_library(UTF8PROC libutf8proc)
kw_find_library(XXHASH libxxhash)
# From version 11 on RE2 needs Abseil, and pkg-config takes minutes for the list of its archives.
execute_process(COMMAND ${PKG_CONFIG_EXECUTABLE} --modversion re2
                OUTPUT_VARIABLE re2_version OUTPUT_STRIP_TRAILING_WHITESPACE)
if(re2_version VERSION_LESS 11)
  kw_find_library(RE2 re2)
else()
  find_library(KW_RE2 re2 REQUIRED)
  add_library(PkgConfig::RE2 INTERFACE IMPORTED GLOBAL)
  target_link_libraries(PkgConfig::RE2 INTERFACE ${KW_RE2})
endif()
kw_find_library(YAML yaml-0.1)
kw_find_library(ZLIB zlib)
# Headers alone: schema/text/toml.cc compiles the parser.
pkg_check_modules(TOMLPLUSPLUS REQUIRED tomlplusplus)
pkg_check_modules(FMT REQUIRED IMPORTED_TARGET fmt)
pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson)

# libstdc++ is an archive too, where no shared library brings it in.
set(KW_STATIC_RUNTIME OFF)
if(KW_STATIC AND FMT_VERSION MATCHES "^(9|10)[.]")
  add_library(kw_fmt STATIC schema/base/fmt_library.cc)
  target_include_directories(kw_fmt SYSTEM PRIVATE ${FMT_INCLUDE_DIRS})
  set_target_properties(PkgConfig::FMT PROPERTIES INTERFACE_LINK_LIBRARIES kw_fmt)
  if(KW_ARCHIVES MATCHES "/libxapian[.]a" AND KW_ARCHIVES MATCHES "/libre2[.]a")
    set(KW_STATIC_RUNTIME ON)
  endif()
endif()
if(KW_STATIC)
  add_link_options(-Wl,--gc-sections -Wl,--as-needed)
endif()

# kw_static_libc(TARGET): links libc statically, too, in a program that starts often. It stays position-
# independent; -static-libgcc would select start files that are not. The linker warns that getaddrinfo needs
# the libc of the build at run time: a package is for one release of Debian, so the warning is suppressed.
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,--no-warnings KW_LINKER_CAN_BE_QUIET)
function(kw_static_libc target)
  if(KW_STATIC_RUNTIME)
    target_link_options(${target} PRIVATE -static-pie)
    if(KW_LINKER_CAN_BE_QUIET)
      target_link_options(${target} PRIVATE -Wl,--no-warnings)
    endif()
  endif()
endfunction()

# kw_static_runtime(TARGET): for a program that uses no C++ library but those of above.
function(kw_static_runtime target)
  if(KW_STATIC_RUNTIME)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
