// The texts of the page that is shown while the server starts.
import { translated } from '../domain/translated.ts'

export const startingTexts = await translated(
  {
    title: 'Contrail is starting',
    reloads: 'This page reloads until Contrail is ready.',
    loading: 'Loading airports, airlines and aircraft',
  },
  import.meta.url,
)
