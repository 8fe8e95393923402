// A thread of the process that reads a file. It kills the process if it uses too much memory, of which the heap limit covers
// only a part, or if the server that started it has ended.
import { workerData } from 'node:worker_threads'

const EVERY_MS = 25

const { residentAtMost, parent } = workerData as { residentAtMost: number; parent: number }

setInterval(() => {
  if (process.memoryUsage.rss() > residentAtMost || process.ppid !== parent)
    process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
