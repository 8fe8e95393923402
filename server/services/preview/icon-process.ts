// The process that `icon.ts` starts: draws the SVG on standard input as a PNG on standard output.
import { readFileSync, writeFileSync } from 'node:fs'
import { drawIcon } from './icon-drawing.ts'

// If the machine runs out of memory, the kernel kills this process and not the server. Only Linux has this file.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // The shell's limits still apply.
}
try {
  writeFileSync(1, drawIcon(readFileSync(0, 'utf8')))
} catch {
  process.exitCode = Number(process.argv[2])
}
