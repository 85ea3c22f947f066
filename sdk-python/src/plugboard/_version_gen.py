# Written by `npm run gen` from package.json. Do not edit.
VERSION = "0.1.0"
