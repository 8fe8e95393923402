/** Entry of the public share page: no session, no router. */
import { mount } from 'svelte'
import '../../../assets/tokens.css'
import '../../../assets/fonts.css'
import '../styles/base.css'
import { startI18n } from '../i18n/i18n.svelte.ts'
import SharePage from './SharePage.svelte'

await startI18n()
mount(SharePage, { target: document.getElementById('app')! })
