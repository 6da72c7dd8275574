# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # what machine_set sets is for the caller; $top is the caller's
#
# The machines that our kernels run on.  Sourced by scripts that have $top, the sources.
#
# The console shows messages of the kernel, from warnings on, and what the guest makes one
# (guest/say.sh).

# machine_set ARCH: $native if programs of this machine run there, else $helper of
# target_helper.sh; $busybox_arch, $cc for programs on it, $console of its serial line,
# $cpus, $boot_limit in seconds for what it runs: two cores that four others use gave RISC-V
# a third of one, and it took 2280
machine_set()
{
	busybox_arch=$1 helper=$1 native='' cpus=1 boot_limit=2700
	case $1 in
	um) busybox_arch=x86_64 native=1 cc=gcc console='' ;;
	x86_64) native=1 cc=gcc console=ttyS0 cpus=2 ;;
	riscv64) cc=riscv64-linux-gnu-gcc console=ttyS0 cpus=2 boot_limit=5400 ;;
	mips) cc=mips-linux-gnu-gcc console=ttyS0 boot_limit=5400 ;;
	armv5) cc=arm-linux-gnueabi-gcc console=ttyAMA0 boot_limit=5400 ;;
	*) die "$1: no such machine: use um, x86_64, riscv64, mips or armv5" ;;
	esac
}

# QEMU of another machine: unpacked, as it needs no more than that of x86 does.
unpacked_qemu()
{
	local dir

	dir=$("$top/scripts/package.sh" "$1") || exit
	echo "$dir/usr/bin/$2"
}

# machine_command ARCH KERNEL_DIR INITRAMFS WORDS...: the array $command boots it, with its
# console on stdin and stdout.  One thread is what QEMU 7.2 emulates two CPUs safely with.
machine_command()
{
	local arch=$1 kernel=$2 initramfs=$3 bios append qemu words

	shift 3
	append="quiet loglevel=5 printk.devkmsg=on printk.time=0 oops=panic panic=-1"
	if [ "$arch" = um ]; then
		# its addresses are where it wants them only without randomization
		# shellcheck disable=SC2054 # commas of its own
		command=(setarch -R "$kernel/image" "mem=${memory:-400}M" "initrd=$initramfs" con=null
			con0=fd:0,fd:1 "umid=hist-$$-$RANDOM")
		read -ra words <<<"$append"
		command+=("${words[@]}" "$@")
		return
	fi
	append="console=$console $append $*"
	case $arch in
	x86_64)
		append="$append mitigations=off tsc=reliable random.trust_cpu=on no_timer_check"
		command=(qemu-system-x86_64 -machine q35 -cpu max) ;;
	riscv64)
		bios=$("$top/scripts/package.sh" opensbi) || exit
		qemu=$(unpacked_qemu qemu-system-misc qemu-system-riscv64) || exit
		command=("$qemu" -machine virt
			-bios "$bios/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_dynamic.bin") ;;
	mips)
		qemu=$(unpacked_qemu qemu-system-mips qemu-system-mips) || exit
		command=("$qemu" -machine malta -vga none) ;;
	armv5)
		# it cannot switch itself off, and ends by -no-reboot
		append="$append leave=reboot"
		qemu=$(unpacked_qemu qemu-system-arm qemu-system-arm) || exit
		command=("$qemu" -machine versatilepb -dtb "$kernel/dtb") ;;
	esac
	command+=(-accel "${machine_accel:-tcg,thread=single}" -smp "$cpus" -m "${memory:-256}" -nic none
		-display none -monitor none -serial stdio -no-reboot -L /usr/share/qemu
		-L /usr/share/seabios -kernel "$kernel/image" -initrd "$initramfs" -append "$append")
}
