// The three styles of a poster: inks and paper. Fixed colours: a poster does not follow the theme of the page.
import { parseColour, type Rgb } from '../../../../server/domain/colour.ts'
import type { PosterStyle } from './poster.ts'

export interface Look {
  paper: string
  sea: string
  land: string
  coast: string
  border: string
  grid: string
  ink: string
  /** For what is said in passing; at least 4.5 : 1 on the paper. */
  second: string
  halo: string
  rare: Rgb
  often: Rgb
  /** Strength of the light around lines. */
  glow: number
}

export const looks: Record<PosterStyle, Look> = {
  chart: {
    paper: '#faf8f3',
    sea: '#e9eff4',
    land: '#fbfaf5',
    coast: '#8793a8',
    border: '#d5d8dd',
    grid: '#c9d3df',
    ink: '#16213a',
    second: '#4a5670',
    halo: '#fbfaf5',
    rare: parseColour('#2b4fb0'),
    often: parseColour('#b8114f'),
    glow: 0,
  },
  night: {
    paper: '#070a11',
    sea: '#0b1424',
    land: '#1c2c4d',
    coast: '#48639a',
    border: '#2a3f68',
    grid: '#16233c',
    ink: '#eef3fb',
    second: '#a9b6cc',
    halo: '#070a11',
    rare: parseColour('#4f86f0'),
    often: parseColour('#ff9ec4'),
    glow: 0.14,
  },
  atlas: {
    paper: '#f4efe4',
    sea: '#dfe7e4',
    land: '#fbf8ef',
    coast: '#7f8f8c',
    border: '#d3cfc2',
    grid: '#cfd9d5',
    ink: '#2a2620',
    second: '#5f574a',
    halo: '#fbf8ef',
    rare: parseColour('#c0702a'),
    often: parseColour('#7a1f1f'),
    glow: 0,
  },
}
