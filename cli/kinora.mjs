#!/usr/bin/env node
/** `npx kinora <command>`: uses the same launcher as `npm start`, which installs packages and builds the studio. */
import '../bin/run.mjs'
