/**
 * Lets a test import modules of the studio that contain Lingui's macros or import the client, which the build compiles
 * otherwise. The test imports this file first, and those modules by `await import()`. They speak English.
 */
import { register } from 'node:module'
import { i18n } from '@lingui/core'

register('./macro-hooks.mjs', import.meta.url)
i18n.loadAndActivate({ locale: 'en', messages: {} })
