"""Drives that a cloud lends with the machine, and empties when the machine gives them back.

A reboot keeps what is on them. A stop from outside, a deletion, a resize or a failed host does not,
and neither does hibernation at Amazon. They are known by the model that they report:

- Amazon: "Amazon EC2 NVMe Instance Storage"; the name is the same on all Nitro instances.
- Google: "nvme_card" and "nvme_card0" to "nvme_card15" (Persistent Disk is "nvme_card-pd"), and
  "EphemeralDisk" over SCSI.
- Microsoft: "Microsoft NVMe Direct Disk" and its "v2" (what stays is "MSFT NVMe Accelerator").

Temporary disks of Azure over SCSI and instance stores of Xen instances have no model of their own:
of those it is not known.

Sources (read in November 2026): Amazon EC2 user guide, "Data persistence for Amazon EC2 instance
store volumes"; Google Cloud, "About Local SSD disks"; Microsoft, "Temporary NVMe disks: frequently
asked questions", and the udev rules of Azure/azure-vm-utils.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_LENT = re.compile(
    r"\bEC2 NVMe Instance Storage\b"
    r"|^(Google )?(nvme_card\d*|EphemeralDisk)$"
    r"|^Microsoft NVMe Direct Disk\b"
)


def is_lent(models: Iterable[str]) -> bool:
    """Whether drives of these models, which hold the same files, are all lent with the machine.

    One that stays beside them may be a mirror's other half: then nothing is known to be lost.
    """
    each = tuple(models)
    return bool(each) and all(_LENT.search(model) for model in each)
