# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # qemu_command is for the caller
#
# QEMU's command line. Sourced by vm.sh.

# Can QEMU start a machine as ours with KVM? That /dev/kvm exists says nothing:
# it may not be ours to open, and nested KVM may refuse the CPU's registers.
# The subshell keeps bash from reporting a QEMU that aborts.
kvm_works()
{
	(echo quit | qemu-system-x86_64 -accel kvm -cpu host -machine q35 -m 64 -S \
		-display none -nodefaults -monitor stdio) >/dev/null 2>&1
}

# qemu_accel: the options for $VM_ACCEL, one a line: tcg (the default), kvm, auto for kvm where it
# works, or tcg with a clock that counts the guest's instructions (QEMU's docs/devel/tcg-icount.rst):
# icount    a nanosecond each, to count what a program costs
# steady    two nanoseconds each, about as fast as tcg.  An idle guest goes on to its next timer at
#           once, so what happens in it does not depend on how busy this machine is, and nobody
#           waits for a sleep.  Not for a guest that waits for someone outside.
#           QEMU before 8.1 gives the second CPU its turn only when the first one is idle or
#           waits with PAUSE, and 6.1 waits for its second CPU without.
qemu_accel()
{
	local accel=${VM_ACCEL:-tcg} cpu

	case $accel in
	auto) accel=tcg; ! kvm_works || accel=kvm ;;
	kvm) kvm_works || die "VM_ACCEL=kvm: QEMU cannot use KVM here: unset VM_ACCEL" ;;
	tcg | icount | steady) ;;
	*) die "VM_ACCEL=$accel: use tcg, kvm, auto, icount or steady" ;;
	esac
	# AVX and "rep movsb" are slow in an emulator: without them a guest is a sixth faster.
	cpu=max,-avx,-avx2,-erms,-fsrm
	case $accel in
	# One thread: the guest's CPUs take turns, and their clocks agree.
	tcg) printf '%s\n' -accel tcg,thread=single -cpu $cpu ;;
	icount) printf '%s\n' -accel tcg,thread=single -cpu $cpu -icount shift=0 ;;
	steady) printf '%s\n' -accel tcg,thread=single -cpu $cpu -icount shift=1,sleep=off ;;
	kvm) printf '%s\n' -accel kvm -cpu host ;;
	esac
}

# tsc_speed: a parameter for the kernel. Of itself it measures how fast the counter of
# time stamps runs, which fails by any factor when this machine is busy: the guest's clock has
# run nine times too fast, and its time limits with it. With tcg the counter is that of this
# machine, whose kernel knows.
tsc_speed()
{
	[ "${VM_ACCEL:-tcg}" != tcg ] ||
		awk '$1 == "bogomips" { printf "tsc_early_khz=%d", $3 * 500; exit }' /proc/cpuinfo
}

# qemu_set KERNEL_DIR INITRAMFS SMP MEM [PARAMETERS]: fills the array qemu_command, all but
# the devices that carry data.
#
# loglevel=5 shows warnings, and nothing milder, on the console. An oops panics,
# and a panic resets, which ends QEMU. The rest makes the guest faster: without zeroed
# allocations it needs a tenth less time.
qemu_set()
{
	local accel append

	accel=$(qemu_accel) || exit
	mapfile -t accel <<<"$accel"
	append="console=ttyS0 quiet loglevel=5 oops=panic panic=-1 mitigations=off init_on_alloc=0"
	append="$append rcupdate.rcu_expedited=1 tsc=reliable random.trust_cpu=on no_timer_check nowatchdog"
	append="$append $(tsc_speed)${5-}"
	qemu_command=(qemu-system-x86_64 "${accel[@]}" -machine q35
		-smp "$3" -m "$4" -nodefaults -no-user-config
		-display none -no-reboot
		-kernel "$1/vmlinuz" -initrd "$2" -append "$append"
		-device virtio-serial-pci,id=serial
		# two devices that share the line of an interrupt
		-device virtio-serial-pci,id=shared0,vectors=0,addr=8.0,multifunction=on
		-device virtio-serial-pci,id=shared1,vectors=0,addr=8.1
		-chardev file,id=shared0,path=/dev/null -chardev file,id=shared1,path=/dev/null
		-device virtserialport,bus=shared0.0,name=shared0,chardev=shared0
		-device virtserialport,bus=shared1.0,name=shared1,chardev=shared1)
}
