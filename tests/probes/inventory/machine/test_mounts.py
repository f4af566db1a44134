from probes.inventory.machine.mounts import find_mount, parse_mounts

TABLE = """\
22 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
30 22 8:1 / /data rw,noatime shared:3 master:1 - xfs /dev/sda1 rw,attr2
31 22 8:2 / /database rw - xfs /dev/sdb1 rw
32 30 8:1 /sub /data/bound rw,ro - xfs /dev/sda1 rw,attr2
33 22 0:5 / /with\\040space\\011tab\\134slash\\043 rw - tmpfs none rw
damaged line
40 30 8:9 / /data rw - ext4 /dev/sdc1 rw
"""


def mount_of(path: str, device: str = "") -> tuple[str, str] | None:
    mount = find_mount(parse_mounts(TABLE), path, device)
    return (mount.point, mount.source) if mount else None


def test_the_deepest_mount_holds_a_path() -> None:
    assert mount_of("/etc/hosts") == ("/", "/dev/vda")
    assert mount_of("/data/bound/deep/er") == ("/data/bound", "/dev/sda1")


def test_a_name_that_starts_alike_is_another_folder() -> None:
    assert mount_of("/database/x") == ("/database", "/dev/sdb1")
    assert mount_of("/datab") == ("/", "/dev/vda")


def test_of_two_mounts_on_one_point_the_last_shows() -> None:
    assert mount_of("/data/x") == ("/data", "/dev/sdc1")


def test_the_device_decides_where_a_later_mount_hides_a_deeper_one() -> None:
    assert mount_of("/data/bound/x", "8:9") == ("/data", "/dev/sdc1")


def test_an_anonymous_device_leaves_the_deepest() -> None:
    assert mount_of("/data/bound/x", "0:77") == ("/data/bound", "/dev/sda1")


def test_undoes_the_kernels_escapes() -> None:
    assert mount_of("/with space\ttab\\slash#/x") == ("/with space\ttab\\slash#", "none")


def test_the_root_of_a_bind_mount_is_told() -> None:
    bound = next(mount for mount in parse_mounts(TABLE) if mount.point == "/data/bound")
    assert bound.root == "/sub"
    assert bound.options == ("rw", "ro", "attr2")


def test_an_empty_table_holds_nothing() -> None:
    assert find_mount(parse_mounts(""), "/x") is None
