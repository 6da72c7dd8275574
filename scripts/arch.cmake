# SPDX-License-Identifier: GPL-2.0
# CMake toolchain file: another architecture, with the libraries in ARCH_ROOT
# (scripts/arch_root.sh) and Debian's cross compiler for ARCH_TRIPLET.
#
# What is built names ARCH_ROOT's dynamic loader and libraries by their paths, so that it runs
# where it was built: natively if the CPU can, otherwise by qemu-user.

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ARCH_ROOT ARCH_TRIPLET ARCH_GCC ARCH_LOADER)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${ARCH_GCC})
set(CMAKE_C_COMPILER ${ARCH_GCC}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${ARCH_TRIPLET})
set(CMAKE_SYSROOT ${ARCH_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
# Before the libc that comes with the compiler, which may be another release.
set(libs ${ARCH_ROOT}/usr/lib/${ARCH_TRIPLET})
set(includes ${ARCH_ROOT}/usr/include)
set(CMAKE_C_FLAGS_INIT "-isystem ${includes}/${ARCH_TRIPLET} -isystem ${includes} -B${libs}/")
set(CMAKE_EXE_LINKER_FLAGS_INIT
	"-L${libs} -Wl,--disable-new-dtags,-rpath,${libs},--dynamic-linker,${ARCH_ROOT}${ARCH_LOADER}")
set(ENV{PKG_CONFIG_LIBDIR} ${libs}/pkgconfig:${ARCH_ROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${ARCH_ROOT})
