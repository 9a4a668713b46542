# SPDX-License-Identifier: GPL-2.0-or-later
# A step of `cmake --install`: what depends on the prefix that it is given. file(INSTALL) heeds DESTDIR by
# itself.
# Debian's zsh reads this folder of packages, and the other one below /usr/local.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(functions vendor-completions)
else()
  set(functions site-functions)
endif()
file(INSTALL "${made}/zsh/_kwindex" "${made}/zsh/_kwsearch" "${made}/zsh/_kwexport"
     DESTINATION ${CMAKE_INSTALL_PREFIX}/share/zsh/${functions})

file(READ "${source}/tools/systemd/kwindex@.service" unit)
string(REPLACE "/usr/local/bin/" "${CMAKE_INSTALL_PREFIX}/bin/" unit "${unit}")
# Not by way of the build folder, which may be another user's, or used by two installs at once.
set(units ${CMAKE_INSTALL_PREFIX}/lib/systemd/system)
file(INSTALL "${source}/tools/systemd/kwindex@.timer" "${source}/tools/systemd/kwsearch-shard@.service"
     DESTINATION ${units})
file(WRITE "$ENV{DESTDIR}${units}/kwindex@.service" "${unit}")
file(CHMOD "$ENV{DESTDIR}${units}/kwindex@.service"
     PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${units}/kwindex@.service)
