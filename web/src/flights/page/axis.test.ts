import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR, MINUTE } from '../../../../server/domain/time/durations.ts'
import { hoursThatFit } from './axis.ts'

const at = (time: string) => Date.parse(`2026-02-20T${time}Z`)
const shown = (hours: readonly number[]) => hours.map((ms) => new Date(ms).toISOString().slice(11, 16))

/** Widths as measured at 12 px: "13:30 CPH", "12:30 PM CPH" and "≈ 12:30 PM CPH", with the hours next to them. */
const labels = [
  { ends: [62, 62], hour: 42 },
  { ends: [84, 78], hour: 62 },
  { ends: [98, 98], hour: 62 },
  { ends: [26, 98], hour: 62 },
] as const

test('hours stand between the ends, where their labels touch neither', () => {
  const flight = { departs: at('11:30'), arrives: at('19:30') }
  // 8 hours on 360 px, 45 px an hour. "2 PM UTC" is centred at 112.5: from 81.5, over the first label, which ends at 84.
  const twelve = { width: 360, ends: [84, 84], hour: 62 } as const
  assert.deepEqual(shown(hoursThatFit(flight, twelve)), ['16:00'])
  const narrow = { width: 360, ends: [62, 62], hour: 42 } as const
  assert.deepEqual(shown(hoursThatFit(flight, narrow)), ['14:00', '16:00'])
  assert.deepEqual(shown(hoursThatFit(flight, { ...narrow, width: 1200 })), [
    ...['13:00', '14:00', '15:00', '16:00', '17:00', '18:00'],
  ])
  assert.deepEqual(hoursThatFit(flight, { ...twelve, width: 200 }), [], 'no room for one')
  assert.deepEqual(hoursThatFit(flight, { ...narrow, hour: 0 }), [], 'not measured yet')
})

test('no two labels touch, whatever the times, clocks and width', () => {
  let placed = 0
  for (const width of [272, 288, 358, 700, 1100])
    for (const { ends, hour } of labels)
      for (let start = 0; start < 24 * 60; start += 25)
        for (const minutes of [45, 90, 200, 500, 830, 1130]) {
          const departs = at('00:00') + start * MINUTE
          const arrives = departs + minutes * MINUTE
          const x = (ms: number) => ((ms - departs) / (arrives - departs)) * width
          const hours = hoursThatFit({ departs, arrives }, { width, ends, hour })
          const boxes = [
            [0, ends[0]],
            ...hours.map((ms) => [x(ms) - hour / 2, x(ms) + hour / 2]),
            [width - ends[1], width],
          ] as [number, number][]
          for (const [i, [left]] of boxes.entries())
            assert.ok(
              i === 0 || left - boxes[i - 1]![1] >= 8,
              `${width} px, ${start} + ${minutes} min: ${boxes}`,
            )
          assert.ok(hours.every((ms) => ms % HOUR === 0))
          placed += hours.length
        }
  assert.ok(placed > 1000, `${placed} hours were placed`)
})
