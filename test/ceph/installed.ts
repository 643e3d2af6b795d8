import { existsSync } from 'node:fs';

const PROGRAMS = ['ceph', 'ceph-authtool', 'monmaptool', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'];

/** Whether Debian's packages of a Ceph cluster with its S3 server are installed: ceph-mon, ceph-osd, ceph-common, radosgw. */
export const CEPH_INSTALLED = PROGRAMS.every(name => existsSync(`/usr/bin/${name}`));
