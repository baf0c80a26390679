"""Run a program that is hostile until shown otherwise, and take nothing from it but what it prints.

bubblewrap gives it namespaces of its own: no network, no other process, and of the files only the compiler's and Python's, which
it cannot write, and one empty folder in memory. A control group bounds its processes and its memory as a whole, which limits of
a shell do not, and a filter closes the calls of the kernel by which it could get more rights or leave something behind. Files go in as copies of bytes. None comes out: a link, a device or a folder that it makes ends with it.
"""
import errno
import os
import platform
import resource
import selectors
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from .grading import Refusal

FOLDER = "/folder"  # its own, inside
NOT_ANYONE = 65534  # the user who owns nothing
# What a compiler and Python need, as far as this machine has it; /usr/local and /usr/share have more than that.
SHOWN = ["/usr/bin", "/usr/include", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/etc/alternatives"]
LINKS = {"/bin": "usr/bin", "/lib": "usr/lib", "/lib64": "usr/lib64"}
ENVIRONMENT = {"PATH": "/usr/bin", "TMPDIR": FOLDER, "OPENBLAS_NUM_THREADS": "1"}
# As bwrap tells it: the signal comes at the limit, and to those who do not listen another one a second later. bwrap may hear it itself.
OUT_OF_TIME = (128 + signal.SIGXCPU, 128 + signal.SIGKILL, -signal.SIGXCPU)
SECONDS_TO_END = 10.0  # for the kernel to remove what was killed


@dataclass(frozen=True)
class Limits:
    """Of one run. Time is that of a processor, so that a busy machine ends no one; who sleeps is waited for, but not for long."""

    seconds: int = 10  # of a processor, for each process
    waiting: float = 30.0  # seconds of a clock
    memory: int = 512 << 20  # bytes, of all its processes and of its folder
    processes: int = 32
    output: int = 1 << 20  # bytes on standard output and standard error together
    folder: int = 64 << 20  # bytes


@dataclass(frozen=True)
class Outcome:
    """How it ended: by itself if `ended_by` is empty, else by the limit that it names (time, output, memory)."""

    code: int
    stdout: bytes
    said: bytes
    ended_by: str = ""


# --- control groups -------------------------------------------------------------------------------------------------

VERSION_1 = {
    "pids": lambda limits: {"pids.max": limits.processes},
    # Swap counts only together with memory, and not on every kernel; it must not be below memory at any time.
    "memory": lambda limits: {"memory.limit_in_bytes": limits.memory, "memory.memsw.limit_in_bytes": limits.memory},
}
VERSION_2 = {"pids.max": lambda limits: limits.processes, "memory.max": lambda limits: limits.memory, "memory.swap.max": lambda _: 0}
OPTIONAL = {"memory.memsw.limit_in_bytes", "memory.swap.max"}
NAMES = count(1)
LEAF = "articulate-grader"  # a group for this process alone

NO_GROUPS = (
    "programs are not graded here, since no control group can be made for them: as root, or as another user under "
    "`systemd-run --user --scope --property=Delegate=yes`, one can"
)


def own_groups(read=lambda path: Path(path).read_text(encoding="ascii", errors="replace")):
    """{controller: folder of the group that this process is in}; that of version 2 stands under the empty name."""
    paths = {}
    for line in read("/proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update({controller: path for controller in controllers.split(",")})
    folders = {}
    for line in read("/proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        root, mounted_at = before.split()[3:5]
        kind, _, options = after.split(" ", 2)
        for controller in {"cgroup": options.split(","), "cgroup2": [""]}.get(kind, []):
            if controller in paths:
                # In a container the path may be told from a root that is not seen here.
                inside = os.path.relpath(paths[controller], root) if paths[controller].startswith(root) else "."
                folders.setdefault(controller, Path(mounted_at) / inside)
    return folders


def written(folder, values, limits):
    """Limits into a new group's files."""
    for name, value in values.items():
        file = folder / name
        if file.exists() or name not in OPTIONAL:
            file.write_text(str(value(limits) if callable(value) else value))


class Group:
    """Control groups for one run, below that of this process or beside it; the limits of those above hold on."""

    def __init__(self, limits):
        self.folders = []
        try:
            self._make(limits)
        except OSError:
            self.remove()
            raise Refusal(NO_GROUPS) from None

    def _make(self, limits):
        own, name = own_groups(), f"articulate-{os.getpid()}-{next(NAMES)}"
        if VERSION_1.keys() <= own.keys():
            for controller, values in VERSION_1.items():
                self._add(own[controller] / name)
                written(self.folders[-1], values(limits), limits)
            return
        if "" not in own:
            raise Refusal(NO_GROUPS)
        self._add(delegated(own[""]) / name)
        written(self.folders[-1], VERSION_2, limits)

    def _add(self, folder):
        folder.mkdir()
        self.folders.append(folder)

    def join(self):
        """This process and what it starts."""
        for folder in self.folders:
            with open(folder / "cgroup.procs", "w") as file:
                file.write("0")

    def killed_for_memory(self):
        for folder in self.folders:
            for name in ("memory.oom_control", "memory.events"):
                if (folder / name).exists():
                    found = dict(line.split() for line in (folder / name).read_text().splitlines())
                    return int(found.get("oom_kill", 0)) > 0
        return False

    def remove(self):
        """When its processes, which were killed, have gone."""
        last = time.monotonic() + SECONDS_TO_END
        for folder in self.folders:
            while True:
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    if time.monotonic() > last:
                        raise
                    time.sleep(0.002)


CONTROLLERS = {"pids", "memory"}


def handed_on(folder):
    """The controllers that children of this group have."""
    return set((folder / "cgroup.subtree_control").read_text().split())


def delegated(own):
    """A group of version 2 whose children have the two controllers. Then it may hold no process itself, not even this one.

    Where other processes hold it, as a login's shell does, the next group above that hands the controllers on is taken: root may
    make groups there, others are refused when they try.
    """
    if CONTROLLERS <= handed_on(own):
        return own
    if own.name == LEAF:  # where this process went when it came here before
        return own.parent
    try:
        (own / "cgroup.subtree_control").write_text("+pids +memory")
        return own
    except OSError:
        pass
    leaf = own / LEAF
    try:
        leaf.mkdir(exist_ok=True)
        (leaf / "cgroup.procs").write_text("0")
        (own / "cgroup.subtree_control").write_text("+pids +memory")
        return own
    except OSError:
        if leaf.exists():
            (own / "cgroup.procs").write_text("0")
            leaf.rmdir()
    for above in own.parents:
        if not (above / "cgroup.subtree_control").exists():
            break
        if CONTROLLERS <= handed_on(above):
            return above
    raise Refusal(NO_GROUPS)


# --- calls of the kernel ----------------------------------------------------------------------------------------------

# Numbers of calls: those that no program of a student needs, clone and clone3. A key would stay when the program is gone, and the
# next one could read it; in a user namespace of its own it could mount. The others are where kernels had their faults.
CALLS = {
    "x86_64": (0xC000003E, {
        "add_key": 248, "request_key": 249, "keyctl": 250, "unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155,
        "ptrace": 101, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "io_uring_setup": 425}, 56, 435),
    "aarch64": (0xC00000B7, {
        "add_key": 217, "request_key": 218, "keyctl": 219, "unshare": 97, "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41,
        "ptrace": 117, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282, "io_uring_setup": 425}, 220, 435),
}  # fmt: skip
ALLOW, KILL, REFUSE = 0x7FFF0000, 0x80000000, 0x00050000  # the last with the number of an error
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
CALL, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # where they are in what the filter reads
NEW_USER = 0x10000000  # a flag of clone
OTHER_NUMBERS = 0x40000000  # from here on the numbers of x32


def call_filter(machine):
    """Instructions of the kernel's filter, which it reads from top to bottom."""
    architecture, closed, clone, clone3 = CALLS[machine]
    program = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), (RETURN, 0, 0, KILL), (LOAD, 0, 0, CALL)]

    def refuse(test, number, error):
        program.extend([(test, 0, 1, number), (RETURN, 0, 0, REFUSE | error)])

    refuse(AT_LEAST, OTHER_NUMBERS, errno.ENOSYS)
    for number in closed.values():
        refuse(EQUAL, number, errno.EPERM)
    refuse(EQUAL, clone3, errno.ENOSYS)  # its flags cannot be read here; who asks for it goes on with clone
    program += [(EQUAL, 1, 0, clone), (RETURN, 0, 0, ALLOW), (LOAD, 0, 0, FIRST_ARGUMENT)]
    refuse(ANY_BIT, NEW_USER, errno.EPERM)
    program.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


# --- the confinement ------------------------------------------------------------------------------------------------


@dataclass
class Confinement:
    """Where programs of students run. `shown` are more folders that they may read, {path inside: folder}."""

    shown: dict = field(default_factory=dict)

    def __post_init__(self):
        self.bwrap = shutil.which("bwrap")
        if self.bwrap is None:
            raise Refusal("programs are not graded here, since bwrap is missing: `apt-get install bubblewrap` brings it")
        if platform.machine() not in CALLS:
            raise Refusal(f"programs are not graded on {platform.machine()}, but on {' and '.join(CALLS)}")
        tried = self.run(["/usr/bin/true"])
        if tried.code != 0:
            raise Refusal(
                "programs are not graded here, since bwrap can make no namespaces: as root it can, or where the kernel's "
                "setting user.max_user_namespaces is not 0"
            )

    def run(self, command, input=b"", files=None, limits=Limits()):
        """Run it on these bytes, with these files {name: bytes} in its folder."""
        with ExitStack() as stack:
            group = Group(limits)
            stack.callback(group.remove)
            given = {name: stack.enter_context(holding(data)) for name, data in (files or {}).items()}
            calls = stack.enter_context(holding(call_filter(platform.machine())))
            process = subprocess.Popen(
                [*self._walls(limits, given, calls), *command],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd="/", env={}, start_new_session=True,
                pass_fds=[file.fileno() for file in (calls, *given.values())], preexec_fn=lambda: begin(group, limits),
            )  # fmt: skip
            with process:
                try:
                    stdout, said, ended_by = watched(process, input, limits)
                finally:
                    process.kill()  # with it go all whom it started, since they die with their parent
            if group.killed_for_memory():
                ended_by = ended_by or "memory"
            if process.returncode in OUT_OF_TIME:
                ended_by = ended_by or "time"
            return Outcome(process.returncode, stdout, said, ended_by)

    def _walls(self, limits, given, calls):
        """bwrap and its options: what the program sees and who it is."""
        options = [self.bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
        options += ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "confined"]
        options += ["--seccomp", str(calls.fileno())]
        for name, value in ENVIRONMENT.items():
            options += ["--setenv", name, value]
        for folder in ("/usr", "/etc", "/dev"):  # those that it makes by itself are closed to others
            options += ["--dir", folder]
        for path in SHOWN:
            options += ["--ro-bind-try", path, path]
        for link, target in LINKS.items():
            options += ["--symlink", target, link] if os.path.islink(link) else ["--ro-bind-try", link, link]
        for inside, folder in self.shown.items():
            options += ["--ro-bind", str(folder), inside]
        options += ["--dev-bind", "/dev/null", "/dev/null"]
        options += ["--perms", "0777", "--size", str(limits.folder), "--tmpfs", FOLDER]
        for name, file in given.items():
            options += ["--perms", "0555", "--file", str(file.fileno()), f"{FOLDER}/{name}"]
        options += ["--remount-ro", "/", "--chdir", FOLDER]
        if os.geteuid() != 0:
            options += ["--unshare-user", "--disable-userns", "--uid", str(NOT_ANYONE), "--gid", str(NOT_ANYONE), "--cap-drop", "ALL"]
            return [*options, "--"]
        # Root needs no user namespace, and can become someone who is unprivileged outside, too.
        options += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--"]
        return [*options, "/usr/bin/setpriv", f"--reuid={NOT_ANYONE}", f"--regid={NOT_ANYONE}", "--clear-groups", "--inh-caps=-all", "--"]


def holding(data):
    """A file with this content, which has no name."""
    file = tempfile.TemporaryFile()
    file.write(data)
    file.seek(0)
    return file


def begin(group, limits):
    """In the new process, before it is bwrap."""
    group.join()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.folder, limits.folder))


def watched(process, input, limits):
    """What it printed and said until it ended, or came to a limit."""
    last, left, parts = time.monotonic() + limits.waiting, memoryview(input), {process.stdout: [], process.stderr: []}
    room, ended_by = limits.output, ""
    with selectors.DefaultSelector() as selector:
        for file in parts:
            selector.register(file, selectors.EVENT_READ)
        os.set_blocking(process.stdin.fileno(), False)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        while not ended_by and any(file in selector.get_map() for file in parts):
            wait = last - time.monotonic()
            if wait <= 0:
                ended_by = "time"
                break
            for key, _ in selector.select(wait):
                if key.fileobj is process.stdin:
                    left = fed(selector, process.stdin, left)
                    continue
                piece = os.read(key.fd, 1 << 16)
                parts[key.fileobj].append(piece[:room])
                room -= len(piece)
                if room < 0:
                    ended_by = "output"
                    break
                if not piece:
                    selector.unregister(key.fileobj)
        if not ended_by and not gone(process, last):
            ended_by = "time"
    return b"".join(parts[process.stdout]), b"".join(parts[process.stderr]), ended_by


def fed(selector, stdin, left):
    """What is left of the input after one more piece; one who reads no more gets no more."""
    try:
        left = left[os.write(stdin.fileno(), left[: 1 << 12]) :]
    except BlockingIOError:
        return left
    except BrokenPipeError:
        left = left[:0]
    if not left:
        selector.unregister(stdin)
        try:
            stdin.close()
        except BrokenPipeError:
            pass
    return left


def gone(process, last):
    """Did it end by itself? It may have closed its output and gone on."""
    try:
        process.wait(max(0.0, last - time.monotonic()))
        return True
    except subprocess.TimeoutExpired:
        return False
