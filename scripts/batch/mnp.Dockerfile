# An image whose containers are the nodes of a job over several hosts. From the root of the project:
#   docker build -f scripts/batch/mnp.Dockerfile -t berttrain .
#   docker run berttrain berttrain --help       one node: no key, no ssh
# docs/how-to/multi-node.md says how AWS Batch starts it.
FROM debian:12 AS build
COPY scripts/install-deps.sh /src/scripts/install-deps.sh
RUN /src/scripts/install-deps.sh --with-trainer
COPY . /src
WORKDIR /src
RUN cmake --preset release -DCMAKE_INSTALL_PREFIX=/opt/bertprep -DBERTPREP_BUILD_TESTS=OFF -DBERTPREP_BUILD_BENCHMARKS=OFF \
    && cmake --build --preset release \
    && cmake --install build/release --strip
# The packages that the programs' libraries are in. Some packages still name files in /lib, where others say /usr/lib.
RUN ldd /opt/bertprep/bin/bertprep /opt/bertprep/bin/berttrain | awk '$3 ~ "^/" { print $3 }' | sort -u \
    | xargs readlink -f | sed 's|^/usr|*|' | xargs dpkg -S | cut -d : -f 1 | sort -u \
    > /opt/bertprep/packages

FROM debian:12-slim
COPY --from=build /opt/bertprep /opt/bertprep
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
       openmpi-bin openssh-server openssh-client iproute2 ca-certificates $(cat /opt/bertprep/packages) \
    && rm -rf /var/lib/apt/lists/* /etc/ssh/ssh_host_*
COPY scripts/batch/mnp_entrypoint.sh /opt/bertprep/bin/mnp_entrypoint.sh
COPY scripts/batch/mnp /opt/bertprep/bin/mnp
ENV PATH=/opt/bertprep/bin:$PATH
RUN bertprep --version && berttrain --version && mpirun --version && /usr/sbin/sshd -V 2>&1 | grep OpenSSH
ENTRYPOINT ["mnp_entrypoint.sh"]
