# SPDX-License-Identifier: GPL-2.0-or-later
# A step of `cmake --install`: what depends on the prefix that it is given. file(INSTALL) heeds DESTDIR by
# itself.
# Debian's zsh reads this folder of packages, and the other one below /usr/local.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(functions vendor-completions)
else()
  set(functions site-functions)
endif()
file(INSTALL ${made}/zsh/_kwindex ${made}/zsh/_kwsearch ${made}/zsh/_kwexport
     DESTINATION ${CMAKE_INSTALL_PREFIX}/share/zsh/${functions})

file(READ ${source}/tools/systemd/kwindex@.service unit)
string(REPLACE "/usr/local/bin/" "${CMAKE_INSTALL_PREFIX}/bin/" unit "${unit}")
file(WRITE ${made}/kwindex@.service "${unit}")
file(INSTALL ${made}/kwindex@.service ${source}/tools/systemd/kwindex@.timer
     DESTINATION ${CMAKE_INSTALL_PREFIX}/lib/systemd/system)
