#!/usr/bin/env python3
"""Print where the Python of an install prefix looks for packages.

usage: site_directory.py PREFIX

/usr and /usr/local are Debian's; any other prefix is one like a virtual environment's.
"""
import sys
import sysconfig

prefix = sys.argv[1]
scheme, base = {"/usr": ("deb_system", "/usr"), "/usr/local": ("posix_local", "/usr")}.get(
    prefix, ("posix_prefix", prefix)
)
print(sysconfig.get_path("platlib", scheme, {"base": base, "platbase": base}))
