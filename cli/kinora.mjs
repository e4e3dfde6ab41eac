#!/usr/bin/env node
/** `npx kinora <command>`: the same way in as `npm start`, so that both prepare the machine alike. */
import '../bin/run.mjs'
