/** Entry of the public share page: no session, no router. */
import { mount } from 'svelte'
import '../../../assets/tokens.css'
import '../../../assets/fonts.css'
import '../styles/base.css'
import '../styles/parts.css'
import { startI18n, withTexts } from '../i18n/i18n.svelte.ts'

await startI18n()
const { default: SharePage } = await withTexts('stats', () => import('./SharePage.svelte'))
mount(SharePage, { target: document.getElementById('app')! })
