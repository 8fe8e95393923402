// Checks of programs that the administrator installs beside the server.
import { runKitinerary } from '../imports/content/kitinerary.ts'
import { type Finding, fail, ok } from './finding.ts'

export async function checkKitinerary(path: string): Promise<Finding> {
  const said = await runKitinerary(path, ['--capabilities'], new Uint8Array())
  const version = /version\s*:\s*([\d.]+)/i.exec(said ?? '')?.[1]
  return version === undefined
    ? fail('KItinerary', `${path} cannot be run`, 'check KITINERARY_PATH and that this user may run it')
    : ok('KItinerary', `version ${version}`)
}
