#!/usr/bin/env python3
"""Plays a contest over four workers while processes are killed and a network is cut, and compares its games with those
that one process plays. docs/CLUSTER.md has the command and a result. Needs nats-server; root for the cut network."""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("program", help="the quincunx to test")
parser.add_argument("--games", type=int, default=10_000)
parser.add_argument("--kills", type=int, default=50)
parser.add_argument("--every", type=float, default=3.0, help="seconds between kills")
parser.add_argument("--cut", type=float, default=90.0, help="seconds without network for one worker; 0 for none")
parser.add_argument("--nodes", type=int, default=1500)
parser.add_argument("--seed", type=int, default=1)
args = parser.parse_args()

random.seed(args.seed)
folder = tempfile.mkdtemp(prefix="quincunx-chaos-")
space = f"quincunx{os.getpid()}"
host, guest = f"qh{os.getpid()}"[:15], f"qg{os.getpid()}"[:15]
cut = args.cut > 0 and os.geteuid() == 0
address = "10.213.77.1" if cut else "127.0.0.1"
port = str(random.randrange(20_000, 30_000))
queue = ["--queue", f"nats://{address}:{port}"] + (["--insecure"] if cut else [])
match = ["match", "othello", f"engine:nodes={args.nodes}", "random", "--games", str(args.games), "--seed", "7",
         "--openings", "random:6"]
running = {}


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def start(name):
    if name == "server":
        command = ["nats-server", "-js", "-a", address, "-p", port, "-sd", f"{folder}/store"]
        os.environ["PATH"] += ":/usr/sbin"
    elif name == "coordinator":
        command = [args.program, *match, "--out", f"{folder}/cluster", "--silence", "5s", *queue]
    else:
        command = [args.program, "worker", "--cores", "1", "--name", name, *queue]
        if cut and name == "worker-3":
            command = ["ip", "netns", "exec", space, *command]
    log = open(f"{folder}/{name}.log", "ab")
    running[name] = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def kill(name):
    running[name].kill()
    running[name].wait()


def games(directory):
    records = [json.loads(line) for line in open(f"{folder}/{directory}/games.jsonl")]
    records.sort(key=lambda record: record["number"])
    for record in records:
        for field in ("used", "version", "worker", "scale"):
            record.pop(field, None)
        for move in record["moves"]:
            move.pop("us", None)
            move.pop("cpu_us", None)
    return records


try:
    if cut:
        ip("netns", "add", space)
        ip("link", "add", host, "type", "veth", "peer", "name", guest)
        ip("link", "set", guest, "netns", space)
        ip("addr", "add", "10.213.77.1/30", "dev", host)
        ip("link", "set", host, "up")
        ip("netns", "exec", space, "ip", "addr", "add", "10.213.77.2/30", "dev", guest)
        ip("netns", "exec", space, "ip", "link", "set", guest, "up")
    start("server")
    time.sleep(1)
    workers = [f"worker-{number}" for number in range(4)]
    for name in ["coordinator", *workers]:
        start(name)
    began, kills, killed, cut_at, mended = time.time(), 0, {}, None, False
    while running["coordinator"].poll() is None:
        time.sleep(args.every)
        if cut and cut_at is None and time.time() - began > 5:
            ip("netns", "exec", space, "ip", "link", "set", guest, "down")
            cut_at = time.time()
        if cut_at and not mended and time.time() - cut_at > args.cut:
            ip("netns", "exec", space, "ip", "link", "set", guest, "up")
            mended = True
        # A coordinator that ends by itself has finished, or says in its log why not.
        if running["coordinator"].poll() is not None:
            break
        for name in ["server", *workers]:
            if running[name].poll() is not None:
                start(name)
        if kills < args.kills:
            victim = random.choice(["server", "coordinator", *workers[:3], *workers[:3]])
            kill(victim)
            kills += 1
            killed[victim] = killed.get(victim, 0) + 1
            time.sleep(0.3)
            start(victim)
    seconds = time.time() - began
    print(f"{kills} kills {killed}, network cut for {args.cut if mended else 0} s, {seconds:.0f} s in all")
    if running["coordinator"].returncode != 0:
        print(open(f"{folder}/coordinator.log").read()[-2000:])
        sys.exit("the coordinator failed")
    subprocess.run([args.program, *match, "--out", f"{folder}/process"], check=True, stdout=subprocess.DEVNULL)
    here, there = games("process"), games("cluster")
    numbers = [record["number"] for record in there]
    print(f"{len(there)} games, {len(numbers) - len(set(numbers))} twice, {args.games - len(set(numbers))} lost,",
          "the same records as in one process" if here == there else "OTHER RECORDS THAN IN ONE PROCESS")
    sys.exit(0 if here == there else 1)
finally:
    for process in running.values():
        if process.poll() is None:
            process.kill()
    if cut:
        subprocess.run(["ip", "netns", "delete", space], check=False)
        subprocess.run(["ip", "link", "delete", host], check=False, stderr=subprocess.DEVNULL)
    shutil.rmtree(folder, ignore_errors=True)
