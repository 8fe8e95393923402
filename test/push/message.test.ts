// Encrypted messages: the fake push service reads the example of the RFC, and what this server encrypts has one length.
import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { encryptMessage } from '../../server/services/push/message.ts'
import { decrypt } from './service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('the fake push service decrypts the example of RFC 8291, appendix A', () => {
  const receiver = createECDH('prime256v1')
  receiver.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'))
  assert.equal(
    receiver.getPublicKey('base64url'),
    'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  )
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  const text = decrypt(body, receiver, bytes('BTBZMqHH6r4Tts7J_aSIgg')).toString()
  assert.equal(text, 'When I grow up, I want to be a watermelon')
})

test('every message has one length, and a long text is cut between characters', () => {
  const receiver = createECDH('prime256v1')
  const p256dh = receiver.generateKeys('base64url')
  const auth = randomBytes(16)
  const lengths = new Set<number>()
  for (const text of ['', 'a', 'ü'.repeat(300), '✈️'.repeat(400), '"'.repeat(5000), 'a'.repeat(100_000)]) {
    for (const part of ['title', 'body'] as const) {
      const shown = {
        title: 'Gate B12',
        body: 'SK909',
        lang: 'en',
        tag: 't',
        navigate: 'https://x.example/',
      } as const
      const body = encryptMessage({ ...shown, [part]: text }, { p256dh, auth: auth.toString('base64url') })
      lengths.add(body.length)
      const { web_push: version, notification } = JSON.parse(decrypt(body, receiver, auth).toString())
      assert.equal(version, 8030)
      assert.equal(notification.navigate, shown.navigate)
      assert.ok(text.startsWith(notification[part].replace(/…$/, '')), 'the beginning is kept')
      if (text.length < 300) assert.equal(notification[part], text)
    }
  }
  assert.equal(lengths.size, 1)
})
