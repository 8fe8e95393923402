// A disk with little space, for tests of what happens when it is full.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

export const mountDisk = (folder: string, megabytes: number) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })

/** Requires the privilege to mount a small file system. */
export function canMount(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    mountDisk(folder, 1)
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  }
}
