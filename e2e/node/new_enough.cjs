// Ends with 1 where an SDK asks for a newer Node than the one that runs this. Plain enough for an old one.

const { dependencies } = require('./package.json');
const { packages } = require('./package-lock.json');

const wanted = Object.keys(dependencies).map((name) => {
  const { engines } = packages[`node_modules/${name}`];
  return Number(/\d+/.exec((engines && engines.node) || '0')[0]);
});
process.exitCode = parseInt(process.versions.node, 10) < Math.max(...wanted) ? 1 : 0;
