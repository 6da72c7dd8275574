// SPDX-License-Identifier: GPL-2.0
/*
 * expr_samples.c - expressions that kernels print and take
 *
 * What a 6.12 kernel printed for triggers of every kind, the commands of
 * Documentation/trace/histogram.rst, some of which fit no event, and those of
 * the kernel's selftests.
 */
#include "utest/unit/lib/expr/expr_samples.h"

const char *const expr_samples[] = {
	/* Printed. */
	"hist:keys=next_comm:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=prev_pid,next_pid:vals=hitcount,prev_prio:sort=next_pid:size=2048 "
	"[active]",
	"hist:keys=common_cpu:vals=hitcount:sort=hitcount:size=2048 if next_pid!=0 "
	"[active]",
	"hist:keys=id.syscall:vals=hitcount.percent,hitcount.graph:"
	"sort=hitcount.descending:size=2048:nohitcount [active]",
	"hist:keys=call_site.sym:vals=hitcount,bytes_req.percent,bytes_alloc.graph:"
	"sort=bytes_req.percent.descending:size=2048 [active]",
	"hist:keys=bytes_alloc:vals=bytes_req:sort=hitcount:size=2048:nohitcount [active]",
	"hist:keys=common_pid.execname:vals=hitcount:sort=hitcount.descending:size=2048 "
	"[active]",
	"hist:keys=common_pid.execname,id.syscall:vals=hitcount:sort=common_pid.execname,"
	"hitcount.descending:size=2048 [active]",
	"hist:keys=id.syscall,ret:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=id.syscall:vals=hitcount,ret,ret.hex:sort=hitcount:size=2048 [active]",
	"hist:keys=bytes_req.log2:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=bytes_req.buckets=100:vals=hitcount:sort=bytes_req.buckets=100:"
	"size=2048 [active]",
	"hist:keys=ret.buckets=100:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=bytes_req.hex,ptr.hex:vals=hitcount,bytes_alloc.hex:"
	"sort=bytes_req.hex:size=2048 [active]",
	"hist:keys=call_site.sym:vals=hitcount,bytes_req,bytes_alloc:"
	"sort=bytes_req.descending:size=2048 [active]",
	"hist:keys=call_site.sym-offset:vals=hitcount,bytes_req:sort=hitcount:size=2048 "
	"[active]",
	"hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=256 [active]",
	"hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=common_stacktrace,prev_pid:vals=hitcount:sort=hitcount:size=2048 "
	"[active]",
	"hist:keys=prev_pid,common_stacktrace,next_comm:vals=hitcount:sort=hitcount:"
	"size=2048 [active]",
	"hist:keys=common_cpu,common_timestamp.usecs:vals=hitcount:sort=hitcount:"
	"size=128:clock=global [active]",
	"hist:keys=common_timestamp:vals=hitcount:sort=hitcount:size=2048:clock=mono "
	"[active]",
	"hist:keys=common_timestamp:vals=hitcount:sort=hitcount:size=128:clock=global "
	"[active]",
	"hist:keys=id:vals=hitcount:sort=hitcount:size=2048 if common_pid > 1 && id != 0 "
	"[active]",
	"hist:keys=next_comm:vals=hitcount:sort=hitcount:size=2048 [paused]",
	"hist:keys=next_pid:vals=hitcount,prev_prio:x=prev_prio,y=prev_prio+1:"
	"sort=hitcount:size=2048 [active]",
	"hist:keys=common_pid:vals=hitcount,bytes_alloc-bytes_req:sort=hitcount:"
	"size=2048 [active]",
	"hist:keys=common_pid.execname,call_site.sym,bytes_req.log2:vals=hitcount,"
	"bytes_req,bytes_alloc:sort=common_pid.execname,bytes_alloc.descending:size=2048 "
	"[active]",
	"hist:keys=gfp_flags:vals=hitcount,bytes_req:sort=hitcount:size=2048 [active]",
	"hist:keys=fn:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=next_comm,common_pid.execname:vals=hitcount:sort=next_comm:size=2048 "
	"[active]",
	"hist:keys=next_pid:vals=hitcount:wakeup_lat=common_timestamp.usecs-$ts0:"
	"sort=hitcount:size=2048:clock=global:onmax($wakeup_lat).save(next_comm,prev_pid,"
	"prev_prio,prev_comm) [active]",
	"hist:keys=pid:vals=hitcount:ts0=common_timestamp.usecs:sort=hitcount:size=2048:"
	"clock=global [active]",
	"hist:keys=comm,lat.log2:vals=hitcount,lat:sort=comm,lat:size=2048 [active]",
	"hist:keys=lat.buckets=50:vals=hitcount:sort=lat.buckets=50:size=2048 [active]",
	"hist:keys=next_pid:vals=hitcount:wakeup_lat=common_timestamp.usecs-$ts0:"
	"sort=hitcount:size=2048:clock=global:onmatch(sched.sched_waking).trace(wakelat,"
	"$wakeup_lat,next_pid,next_prio,next_comm) [active]",
	"hist:keys=next_pid:vals=hitcount:wakeup_lat=common_timestamp.usecs-$ts0:"
	"sort=hitcount:size=2048:clock=global:onmax($wakeup_lat).snapshot() [active]",
	"hist:keys=next_pid:vals=hitcount:p=next_prio:sort=hitcount:size=2048:"
	"onchange($p).save(next_comm,prev_comm) [active]",
	"hist:keys=next_pid:vals=hitcount:p=next_prio:sort=hitcount:size=2048:"
	"onchange($p).snapshot() [active]",
	"hist:keys=delta.buckets=100,stack.stacktrace:vals=hitcount:"
	"sort=delta.buckets=100:size=2048 [active]",
	"hist:keys=stack.stacktrace,pid:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=next_pid:vals=hitcount:ts=common_timestamp.usecs,st=common_stacktrace:"
	"sort=hitcount:size=2048:clock=global if prev_state == 1||prev_state == 2 "
	"[active]",
	"hist:keys=prev_pid:vals=hitcount:s=common_stacktrace,t=common_timestamp.usecs:"
	"sort=hitcount:size=2048:clock=global if prev_state != 0 [active]",
	"hist:keys=next_pid:vals=hitcount:delta=common_timestamp.usecs-$t,s2=$s:"
	"sort=hitcount:size=2048:clock=global:onmax($delta).trace(block_lat,next_pid,"
	"$delta,$s2) [active]",
	"hist:name=foo:keys=pid,comm:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=common_pid:vals=hitcount:sort=hitcount:size=2048 [paused]",
	"hist:keys=pid:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=ret:vals=hitcount,ret:sort=hitcount:size=2048 [active]",
	"hist:keys=count.log2:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:keys=prev,next:vals=hitcount:sort=hitcount:size=2048 [active]",

	/* Of the documentation. */
	"hist:keys=skbaddr.hex:vals=len",
	"hist:keys=skbaddr.hex:vals=len:pause",
	"hist:key=call_site:val=bytes_req.buckets=32",
	"hist:keys=call_site:vals=bytes_req:sort=hitcount:size=2048 [active]",
	"hist:key=call_site:val=bytes_req",
	"hist:key=call_site.hex:val=bytes_req",
	"hist:keys=call_site.hex:vals=bytes_req:sort=hitcount:size=2048 [active]",
	"hist:key=call_site.sym:val=bytes_req",
	"hist:keys=call_site.sym:vals=bytes_req:sort=hitcount:size=2048 [active]",
	"hist:key=call_site.sym:val=bytes_req:sort=bytes_req.descending",
	"hist:keys=call_site.sym:vals=bytes_req:sort=bytes_req.descending:size=2048 "
	"[active]",
	"hist:key=call_site.sym-offset:val=bytes_req:sort=bytes_req.descending",
	"hist:keys=call_site.sym-offset:vals=bytes_req:sort=bytes_req.descending:"
	"size=2048 [active]",
	"hist:keys=call_site.sym:values=bytes_req,bytes_alloc:sort=bytes_alloc.descending",
	"hist:keys=call_site.sym:vals=bytes_req,bytes_alloc:sort=bytes_alloc.descending:"
	"size=2048 [active]",
	"hist:keys=common_stacktrace:values=bytes_req,bytes_alloc:sort=bytes_alloc",
	"hist:keys=common_stacktrace:vals=bytes_req,bytes_alloc:sort=bytes_alloc:"
	"size=2048 [active]",
	"hist:key=common_pid.execname:val=count:sort=count.descending",
	"hist:keys=common_pid.execname:vals=count:sort=count.descending:size=2048 "
	"[active]",
	"hist:key=id.syscall:val=hitcount",
	"hist:keys=id.syscall:vals=hitcount:sort=hitcount:size=2048 [active]",
	"hist:key=id.syscall,common_pid.execname:val=hitcount:sort=id,hitcount",
	"hist:keys=id.syscall,common_pid.execname:vals=hitcount:sort=id.syscall,hitcount:"
	"size=2048 [active]",
	"hist:key=id.syscall,common_pid.execname:val=hitcount:sort=id,hitcount if id == "
	"16",
	"hist:keys=id.syscall,common_pid.execname:vals=hitcount:sort=id.syscall,hitcount:"
	"size=2048 if id == 16 [active]",
	"hist:key=common_pid.execname,size:val=hitcount:sort=common_pid,size",
	"hist:keys=common_pid.execname,size:vals=hitcount:sort=common_pid.execname,size:"
	"size=2048 [active]",
	"hist:key=child_comm:val=hitcount:size=256",
	"hist:keys=child_comm:vals=hitcount:sort=hitcount:size=256 [active]",
	"hist:key=child_comm:val=hitcount:size=256:pause",
	"hist:keys=child_comm:vals=hitcount:sort=hitcount:size=256 [paused]",
	"hist:key=child_comm:val=hitcount:size=256:cont",
	"hist:key=common_stacktrace:vals=len:pause",
	"hist:keys=common_stacktrace:vals=len:sort=hitcount:size=2048 [paused]",
	"hist:key=common_stacktrace:vals=len:clear",
	"hist:keys=skbaddr.hex:vals=len if len < 0",
	"hist:keys=skbaddr.hex:vals=len if len > 4096",
	"hist:keys=skbaddr.hex:vals=len if len == 256",
	"hist:keys=len:vals=common_preempt_count",
	"hist:keys=len:vals=hitcount,common_preempt_count:sort=hitcount:size=2048 "
	"[active]",
	"hist:keys=skbaddr.hex:vals=hitcount,len:sort=hitcount:size=2048 [active]",
	"hist:keys=skbaddr.hex:vals=hitcount,len:sort=hitcount:size=2048 if len == 256 "
	"[active]",
	"hist:keys=skbaddr.hex:vals=hitcount,len:sort=hitcount:size=2048 if len > 4096 "
	"[active]",
	"hist:keys=skbaddr.hex:vals=hitcount,len:sort=hitcount:size=2048 if len < 0 "
	"[active]",
	"hist:name=foo:keys=skbaddr.hex:vals=len",
	"hist:name=foo:keys=skbaddr.hex:vals=hitcount,len:sort=hitcount:size=2048 "
	"[active]",
	"hist:name=bar:key=common_stacktrace:val=hitcount",
	"hist:name=bar:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=2048 "
	"[active]",
	"hist:timer_pid=common_pid:key=timer_pid",
	"hist:keys=next_pid:ts1=common_timestamp",
	"hist:keys=pid:vals=$ts0,$b:ts0=common_timestamp,b=field1",
	"hist:keys=pid:ts0=common_timestamp,b=field1:vals=$ts0,$b",
	"hist:keys=pid:ts0=common_timestamp:b=field1",
	"hist:keys=pid,prio:ts0=common_timestamp",
	"hist:keys=next_pid:wakeup_lat=common_timestamp-$ts0",
	"hist:key=pid:wakeupswitch_lat=$wakeup_lat+$switchtime_lat",
	"hist:keys=next_pid:timestamp_secs=common_timestamp/1000000",
	"hist:keys=next_pid:us_per_sec=1000000",
	"hist:keys=next_pid:timestamp_secs=common_timestamp/$us_per_sec",
	"hist:keys=pid,prio,lat.log2:sort=lat",
	"hist:keys=pid,prio,lat.log2:vals=hitcount:sort=lat.log2:size=2048 [active]",
	"hist:keys=pid,prio,lat.buckets=10:sort=lat",
	"hist:keys=pid,prio,lat.buckets=10:vals=hitcount:sort=lat.buckets=10:size=2048 "
	"[active]",
	"hist:keys=next_pid:ts=common_timestamp.usecs,st=common_stacktrace  if "
	"prev_state == 2",
	"hist:keys=prev_pid:delta=common_timestamp.usecs-$ts,s=$st:"
	"onmax($delta).trace(block_lat,prev_pid,$delta,$s)",
	"hist:keys=delta.buckets=100,stack.stacktrace:sort=delta",
	"hist:keys=$testpid:testpid=pid:"
	"onmatch(sched.sched_wakeup_new).wakeup_new_test($testpid) if comm==\"cyclictest\"",
	"hist:keys=$testpid:testpid=pid:"
	"onmatch(sched.sched_wakeup_new).trace(wakeup_new_test,$testpid) if "
	"comm==\"cyclictest\"",
	"hist:keys=pid:sort=pid",
	"hist:keys=$saved_pid:saved_pid=pid:ts0=common_timestamp.usecs if "
	"comm==\"cyclictest\"",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_waking).wakeup_latency($wakeup_lat,$saved_pid,next_prio) if "
	"next_comm==\"cyclictest\"",
	"hist:keys=pid,prio,lat:sort=pid,lat",
	"hist:keys=pid:ts0=common_timestamp.usecs if comm==\"cyclictest\"",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmax($wakeup_lat).save(next_comm,prev_pid,prev_prio,prev_comm) if "
	"next_comm==\"cyclictest\"",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmax($wakeup_lat).save(next_prio,next_comm,prev_pid,prev_prio,prev_comm):"
	"onmax($wakeup_lat).snapshot() if next_comm==\"cyclictest\"",
	"hist:keys=dport:cwnd=snd_cwnd:onchange($cwnd).save(snd_wnd,srtt,rcv_wnd):"
	"onchange($cwnd).snapshot()",
	"hist:keys=common_pid:ts0=common_timestamp.usecs if buf == \"start\"",
	"hist:keys=common_pid:lat=common_timestamp.usecs-$ts0:"
	"onmatch(ftrace.print).latency($lat) if buf == \"end\"",
	"hist:keys=lat,common_pid:sort=lat",
	"hist:keys=lat,common_pid:vals=hitcount:sort=lat:size=2048 [active]",
	"hist:keys=pid:ts0=common_timestamp.usecs",
	"hist:keys=common_pid:lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_waking).latency($lat) if buf == \"end\"",

	/* Of the selftests. */
	"hist:keys=comm:onmatch(sched.sched_wakeup).snapshot()",
	"hist:keys=comm:onmatch(sched.sched_wakeup).save(comm,prio)",
	"hist:keys=comm:ts0=common_timestamp.usecs if comm==\"ping\"",
	"hist:keys=next_comm:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_waking).wakeup_latency($wakeup_lat,next_pid,"
	"sched.sched_waking.prio,next_comm) if next_comm==\"ping\"",
	"hist:keys=pid,prio,comm:vals=lat:sort=pid,prio",
	"hist:keys=pid:ts0=common_timestamp.usecs if comm==\"ping\"",
	"hist:keys=pid:waking_lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_waking).waking_latency($waking_lat,pid) if comm==\"ping\"",
	"hist:keys=pid,lat:sort=pid,lat",
	"hist:keys=pid:ts1=common_timestamp.usecs if comm==\"ping\"",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts1:"
	"onmatch(sched.sched_wakeup).wakeup_latency($wakeup_lat,next_pid) if "
	"next_comm==\"ping\"",
	"hist:keys=pid,lat:sort=pid,lat:ww_lat=$waking_lat+$wakeup_lat:"
	"onmatch(synthetic.wakeup_latency).waking_plus_wakeup_latency($ww_lat,pid)",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0 if "
	"next_comm==\"cyclictest\"",
	"hist:keys=next_pid:onmatch(sched.sched_wakeup).wakeup_latency(sched.sched_switch"
	".$wakeup_lat,next_pid) if next_comm==\"cyclictest\"",
	"hist:keys=next_pid:onmatch(sched.sched_wakeup).wakeup_latency(sched.sched_switch"
	".$wakeup_lat,prev_pid) if next_comm==\"cyclictest\"",
	"hist:keys=next_pid if next_comm==\"cyclictest\"",
	"hist:keys=comm:newprio=prio:onchange($newprio).save(comm,prio) if comm==\"ping\"",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_wakeup).wakeup_latency($wakeup_lat,next_pid,next_comm) if "
	"next_comm==\"ping\"",
	"hist:keys=comm,pid,lat:wakeup_lat=lat:sort=lat",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_wakeup).wakeup_latency($wakeup_lat,next_pid,next_comm):"
	"onmax($wakeup_lat).save(next_comm,prev_pid,prev_prio,prev_comm) if "
	"next_comm==\"ping\"",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmax($wakeup_lat).save(next_comm,prev_pid,prev_prio,prev_comm) if "
	"next_comm==\"ping\"",
	"hist:keys=comm:newprio=prio:onchange($newprio).save(comm,prio):"
	"onchange($newprio).snapshot() if comm==\"ping\"",
	"hist:key=pid:filenamevar=filename:ts0=common_timestamp.usecs",
	"hist:key=pid:lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_process_exec).ping_test_latency($lat,$filenamevar) if comm "
	"== \"ping\"",
	"hist:keys=filename,lat:sort=filename,lat",
	"hist:keys=next_pid:ts=common_timestamp.usecs,st=stacktrace  if prev_state == "
	"1||prev_state == 2",
	"hist:keys=prev_pid:delta=common_timestamp.usecs-$ts,s=$st:"
	"onmax($delta).trace(wake_lat,prev_pid,$delta,$s)",
	"hist:keys=next_pid:ts=common_timestamp.usecs,st=common_stacktrace  if "
	"prev_state == 1||prev_state == 2",
	"hist:keys=next_pid:wakeup_lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_wakeup).trace(wakeup_latency,$wakeup_lat,next_pid,"
	"next_comm) if next_comm==\"ping\"",
	"hist:keys=common_pid.execname",
	"hist:keys=parent_pid.hex",
	"hist:keys=id.syscall",
	"hist:keys=bytes_req.log2",
	"hist:keys=parent_pid:vals=child_pid",
	"hist:keys=parent_pid,child_pid",
	"hist:keys=parent_comm",
	"hist:keys=call_site.sym",
	"hist:keys=call_site.sym-offset",
	"hist:keys=parent_pid,child_pid:sort=child_pid.ascending",
	"hist:keys=parent_comm:vals=child_pid",
	"hist:name=test_hist:keys=common_pid",
	"hist:keys=common_pid",
	"hist:keys=common_pid:lat=common_timestamp.usecs-$ts0:"
	"onmatch(sched.sched_waking).latency($lat)",
	"hist:keys=common_pid,lat:sort=lat",
};

const unsigned int expr_nsamples = sizeof(expr_samples) / sizeof(*expr_samples);
