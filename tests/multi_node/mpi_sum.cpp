// Every rank adds its number by MPI; rank 0 prints the sum and the number of hosts.

#include <mpi.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace {

std::size_t number_of_hosts(int ranks) {
  std::vector<char> names(static_cast<std::size_t>(ranks) * MPI_MAX_PROCESSOR_NAME);
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  MPI_Gather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  std::set<std::string> different;
  for (int rank = 0; rank < ranks; ++rank) different.insert(&names[static_cast<std::size_t>(rank) * sizeof name]);
  return different.size();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  // Large enough to go over every connection in many pieces.
  std::vector<float> mine(1 << 20, static_cast<float>(rank));
  std::vector<float> sum(mine.size());
  MPI_Allreduce(mine.data(), sum.data(), static_cast<int>(mine.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  const std::size_t hosts = number_of_hosts(ranks);
  if (rank == 0) std::printf("sum %.0f of %d ranks on %zu hosts\n", sum.back(), ranks, hosts);
  MPI_Finalize();
}
