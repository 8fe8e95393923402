import '../../assets/fonts.css'
import '../../assets/tokens.css'
import './styles/base.css'
import './styles/print.css'
import { mount } from 'svelte'
import { startI18n } from './i18n/i18n.svelte.ts'
import { startRouter } from './lib/router.svelte.ts'
import { startSession } from './session/session.svelte.ts'
import App from './shell/App.svelte'
import { startOffline } from './shell/offline.ts'
import StartFailed from './shell/StartFailed.svelte'

async function start(): Promise<void> {
  const target = document.getElementById('app')
  if (!target) return
  // All three are needed before the app can be shown; they load in parallel.
  const signedIn = startSession()
  signedIn.catch(() => {})
  await startI18n()
  try {
    if (!(await signedIn)) return
  } catch {
    mount(StartFailed, { target })
    return
  }
  startRouter()
  mount(App, { target })
  startOffline()
}

void start()
