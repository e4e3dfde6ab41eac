"""
A complete OpenStack Swift with its S3 interface on loopback, in a folder of its own, for one test run.

    serve-swift.py FOLDER PORT ACCESS_KEY SECRET_KEY

This process forks the proxy, account, container and object servers, which end with it. It reads and writes nothing outside
FOLDER and touches no system service. Needs Debian's python3-swift; needs no root if FOLDER's file system has xattrs.
"""
import ctypes
import getpass
import os
import signal
import socket
import sys
import time

from swift.common import utils

folder, proxy_port, access_key, secret_key = sys.argv[1:]
account, user = access_key.split(':')

COMMON = f'''[DEFAULT]
bind_ip = 127.0.0.1
bind_port = %d
user = {getpass.getuser()}
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
disable_fallocate = true
workers = 0
log_level = WARNING
log_udp_host = 127.0.0.1
log_udp_port = 9
'''

PROXY = f'''
[pipeline:main]
pipeline = catch_errors gatekeeper no-cache listing_formats s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {secret_key} .admin
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:no-cache]
paste.filter_factory = __main__:no_cache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
'''


class NoCache:
    """Stands in for memcached: tempauth requires a cache, but signed S3 requests do not use it."""

    def get(self, *_, **__):
        return None

    set = delete = incr = decr = get_multi = set_multi = get


def no_cache(*_, **__):
    def wrap(app):
        def serve(env, start_response):
            env['swift.cache'] = NoCache()
            return app(env, start_response)
        return serve
    return wrap


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, 'w') as file:
        file.write(text)
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def wait_for(port, child):
    """Until the server listens or ends: how long its imports take depends on the machine's load."""
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f'the server for port {port} has ended')


write('swift.conf', '''[swift-hash]
swift_hash_path_suffix = kinora
[storage-policy:0]
name = gold
default = yes
''')
utils.set_swift_dir(folder)

from swift.common.ring import RingBuilder  # noqa: E402 (reads swift.conf while it is imported)
from swift.common.wsgi import run_wsgi  # noqa: E402

os.makedirs(os.path.join(folder, 'devices', 'd1'))
servers = []
for kind in ('account', 'container', 'object'):
    port = free_port()
    builder = RingBuilder(1, 1, 1)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': port, 'device': 'd1', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': port})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f'{kind}.ring.gz'))
    app = f'\n[pipeline:main]\npipeline = {kind}-server\n[app:{kind}-server]\nuse = egg:swift#{kind}\n'
    servers.append((write(f'{kind}.conf', COMMON % port + app), port, f'{kind}-server'))
servers.append((write('proxy.conf', COMMON % int(proxy_port) + PROXY), int(proxy_port), 'proxy-server'))

PR_SET_PDEATHSIG = 1
children = []
# The proxy starts last, when the others listen: a client that reaches it finds a complete Swift.
for conf, port, section in servers:
    child = os.fork()
    if child == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        sys.exit(run_wsgi(conf, section))
    children.append(child)
    wait_for(port, child)


def stop(*_):
    for child in children:
        try:
            os.kill(child, signal.SIGTERM)
        except ProcessLookupError:
            pass
    sys.exit(0)


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGINT, stop)
# When one server ends, for any reason, all end.
os.wait()
stop()
