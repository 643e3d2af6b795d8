import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';

/** Starts Debian's nginx. @param locations what its server block holds beside the root. */
export const startNginx = (locations: string): Promise<Daemon> =>
  startDaemon('nginx', (port, folder) => {
    const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      name => `${name}_temp_path ${join(folder, name)};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
events {}
http {
  ${scratch.join(' ')}
  log_format plain "$request_method $request_uri $status range=$http_range if_range=$http_if_range";
  access_log ${folder}/log plain;
  types { text/csv csv; application/zip zip; application/json json; }
  limit_req_zone $binary_remote_addr zone=one:1m rate=6r/m;
  server { listen 127.0.0.1:${port}; root ${folder}/root; ${locations} }
}`,
    );
    return ['nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']];
  });

const MODULES = ['mpm_event', 'authz_core', 'mime', 'dir', 'autoindex', 'alias', 'deflate', 'filter', 'headers'];
const MORE = ['rewrite', 'ratelimit', 'env', 'setenvif', 'cgid'];

/** Starts Debian's Apache. @param directives what its configuration holds beside its root, `{root}`. */
export const startApache = (directives: string): Promise<Daemon> =>
  startDaemon('apache', (port, folder) => {
    mkdirSync(join(folder, 'cgi'));
    const modules = [...MODULES, ...MORE].map(
      name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    );
    writeFileSync(
      join(folder, 'apache.conf'),
      `${modules.join('\n')}
ServerRoot ${folder}
ServerName localhost
Listen 127.0.0.1:${port}
User www-data
Group www-data
PidFile ${folder}/pid
ScriptSock ${folder}/cgisock
ErrorLog ${folder}/errors
LogFormat "%m %U%q %>s range=%{Range}i if_range=%{If-Range}i" plain
CustomLog ${folder}/log plain
TypesConfig /dev/null
DocumentRoot ${folder}/root
<Directory ${folder}/root>
  Options Indexes FollowSymLinks
  AllowOverride None
  Require all granted
</Directory>
${directives.replaceAll('{root}', `${folder}/root`)}`,
    );
    return ['apache2', ['-f', join(folder, 'apache.conf'), '-DFOREGROUND']];
  });
