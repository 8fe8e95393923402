// Checks of programs that the administrator installs beside the server.
import { isNetworkCut, runKitinerary } from '../imports/content/kitinerary.ts'
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
        `version ${version}; it can reach the network while it reads mails of strangers`,
        'to keep it from that, install unshare (util-linux) and let this user create user namespaces',
      )
}
