// Checks of programs that the administrator installs in addition to the server.
import { isNetworkCut, runKitinerary } from '../services/imports/content/kitinerary.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export async function checkKitinerary(path: string, isCut = isNetworkCut): Promise<Finding> {
  const said = await runKitinerary(path, ['--capabilities'], new Uint8Array())
  const version = /version\s*:\s*([\d.]+)/i.exec(said ?? '')?.[1]
  if (version === undefined)
    return fail('KItinerary', `${path} cannot be run`, 'check KITINERARY_PATH and that this user may run it')
  return (await isCut())
    ? ok('KItinerary', `version ${version}`)
    : warn(
        'KItinerary',
        `version ${version}; it can access the network while it reads mails from unknown senders`,
        'to prevent that, install unshare (util-linux) and let this user create user namespaces',
      )
}
