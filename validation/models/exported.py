"""What `models --export urdf` writes, for programs that free the base themselves."""
import re


def without_base(urdf):
    """The text without the link `world` and the joint `floating_base`; all else as it stands there."""
    return re.sub(r'(?s)\s*<link name="world"/>|\s*<joint name="floating_base".*?</joint>', "", urdf)
