// Times in words: `halb neun`, `viertel nach acht`, `half past eight`, `quarter to 9`. As they are said, before noon.
import { twoDigits } from '../calendar.ts'

const hours: ReadonlyMap<string, number> = new Map(
  [
    'one eins ein',
    'two zwei',
    'three drei',
    'four vier',
    'five funf fuenf',
    'six sechs',
    'seven sieben',
    'eight acht',
    'nine neun',
    'ten zehn',
    'eleven elf',
    'twelve zwolf zwoelf',
  ].flatMap((words, i) =>
    [...words.split(' '), String(i + 1)].map((word): [string, number] => [word, i + 1]),
  ),
)

/** Minutes to add to the hour that is named. */
const shifts: readonly [RegExp, number][] = [
  [/^halb (\S+)$/, -30],
  [/^(?:half past|half) (\S+)$/, 30],
  [/^(?:viertel nach|quarter past|a quarter past) (\S+)$/, 15],
  [/^(?:viertel vor|quarter to|a quarter to|dreiviertel) (\S+)$/, -15],
]

export function spokenClock(text: string): string | null {
  for (const [pattern, shift] of shifts) {
    const hour = hours.get(pattern.exec(text)?.[1] ?? '')
    if (hour === undefined) continue
    const minutes = (hour * 60 + shift + 24 * 60) % (24 * 60)
    return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
  }
  return null
}
