import '../../assets/fonts.css'
import '../../assets/tokens.css'
import './styles/base.css'
import './styles/parts.css'
import './styles/print.css'
import { mount, unmount } from 'svelte'
import { COPY_AFTER_MS } from './api/unreached.ts'
import { startI18n } from './i18n/i18n.svelte.ts'
import { startRouter } from './lib/router.svelte.ts'
import { startSession } from './session/session.svelte.ts'
import App from './shell/App.svelte'
import { sayFailures } from './shell/failures.ts'
import { startOffline } from './shell/offline.ts'
import StartFailed from './shell/StartFailed.svelte'

async function start(): Promise<void> {
  const target = document.getElementById('app')
  if (!target) return
  let told: ReturnType<typeof mount> | undefined
  const tell = () => {
    told ??= mount(StartFailed, { target })
  }
  // Without a copy nothing can be shown until the server responds: the person is told what is missing.
  const timer = setTimeout(tell, COPY_AFTER_MS)
  try {
    // Both are needed before the app can be shown; they load in parallel.
    const [isSignedIn] = await Promise.all([startSession(), startI18n()])
    if (!isSignedIn) return
  } catch {
    tell()
    return
  } finally {
    clearTimeout(timer)
  }
  if (told) await unmount(told)
  startRouter()
  sayFailures()
  mount(App, { target })
  startOffline()
}

void start()
