// The colours of the light globe against each other, read from the tokens: its shapes and lines must be seen.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseColour } from '../../../server/domain/colour.ts'

const css = readFileSync(new URL('../../../assets/tokens.css', import.meta.url), 'utf8')
const blocks = css.split(/^(?=:root|@media)/m)

function tokensOf(block: string): Map<string, string> {
  return new Map([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name!, value!]))
}
const light = tokensOf(blocks.find((block) => block.startsWith(':root {'))!)

function luminance(colour: string): number {
  const [r, g, b] = parseColour(colour).map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(light.get(a)!), luminance(light.get(b)!)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

test('on the light globe land, coast and routes stand out', () => {
  const figures: [string, string, number][] = [
    ['--map-land', '--map-ocean', 1.5],
    ['--map-coast', '--map-land', 3.2],
    ['--map-coast', '--map-ocean', 2.1],
    ['--route-rare', '--map-land', 5.3],
    ['--route-rare', '--map-ocean', 3.5],
    ['--route-often', '--map-land', 6.3],
    ['--route-often', '--map-ocean', 4.2],
  ]
  for (const [a, b, least] of figures) {
    const found = contrast(a, b)
    assert.ok(Math.round(found * 10) / 10 >= least, `${a} on ${b}: ${found.toFixed(2)}, not ${least}`)
  }
  assert.ok(
    contrast('--map-border', '--map-land') < contrast('--map-coast', '--map-land'),
    'no border is stronger than the coast',
  )
})

test('both dark blocks of the tokens are equal, and have every colour of the light one', () => {
  const [system, chosen] = [
    tokensOf(blocks.find((block) => block.startsWith('@media (prefers-color-scheme: dark)'))!),
    tokensOf(blocks.find((block) => block.startsWith(':root[data-theme="dark"]'))!),
  ]
  assert.deepEqual([...system], [...chosen])
  const colours = [...light.keys()].filter((name) => /^--(?:map|route|sun|airport)/.test(name))
  assert.deepEqual(
    colours.filter((name) => !chosen.has(name)),
    [],
  )
})
