/** The figures of the last measurements with `--write`, by which docs/planning.md computes. */
import { readFileSync } from 'node:fs'
import type { Figure } from './table.ts'

export const figuresFile = new URL('figures.json', import.meta.url)

export const readFigures = () => JSON.parse(readFileSync(figuresFile, 'utf8')) as Record<Figure, number>
