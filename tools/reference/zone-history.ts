// Writes test/data/zone-history.txt again: what zdump prints for its zones from a folder of compiled time zones, as
// /usr/share/zoneinfo of Debian's package tzdata. A zone that is not in the file yet is added by a line with its name.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FILE = `${import.meta.dirname}/../../test/data/zone-history.txt`

/** zone, seconds east of Greenwich at first, then each change before 1970 and the seconds from then on */
function historyOf(zone: string, folder: string): string {
  const printed = execFileSync('zdump', ['-V', resolve(folder, zone)], { encoding: 'utf8' })
  const states = [...printed.matchAll(/ \w{3} (\w{3} +\d+ [\d:]+ \d{4}) UT = .* gmtoff=(-?\d+)/g)]
    .map(([, time, offset]) => ({ at: new Date(`${time} UTC`), offset: Number(offset) }))
    .filter(({ at }) => at.getTime() < 0)
  // A change is printed as the second before it and its own.
  const changes = states.filter(({ offset }, index) => index > 0 && offset !== states[index - 1]!.offset)
  const texts = changes.map(({ at, offset }) => `${at.toISOString().replace('.000', '')} ${offset}`)
  return [zone, states[0]?.offset, ...texts].join(' ')
}

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('usage: npm run zone-history -- FOLDER')
const lines = readFileSync(FILE, 'utf8').trim().split('\n')
const comments = lines.filter((line) => line.startsWith('#'))
const zones = lines.filter((line) => !line.startsWith('#')).map((line) => line.split(' ')[0]!)
const histories = zones.sort().map((zone) => historyOf(zone, folder))
writeFileSync(FILE, `${[...comments, ...histories].join('\n')}\n`)
