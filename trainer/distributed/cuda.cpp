// The GPUs of this machine, by the CUDA runtime.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "bertprep/base/error.h"
#include "trainer/distributed/cuda_call.h"
#include "trainer/distributed/device_group.h"

namespace bertprep {
namespace {

class CudaValues final : public DeviceValues {
 public:
  CudaValues(int device, std::size_t count) : device_(device), bytes_(count * sizeof(float)) {
    use_device(device_);
    check_cuda(cudaMalloc(&data_, std::max<std::size_t>(1, bytes_)), "reserving memory of the GPU");
  }
  ~CudaValues() override { static_cast<void>(cudaFree(data_)); }
  CudaValues(const CudaValues&) = delete;
  CudaValues& operator=(const CudaValues&) = delete;

  float* data() override { return static_cast<float*>(data_); }
  void set(std::span<const float> values) override {
    copy(data_, values.data(), values.size(), cudaMemcpyHostToDevice);
  }
  void get(std::span<float> values) const override {
    copy(values.data(), data_, values.size(), cudaMemcpyDeviceToHost);
  }

 private:
  void copy(void* to, const void* from, std::size_t count, cudaMemcpyKind kind) const {
    use_device(device_);
    check_cuda(cudaMemcpy(to, from, std::min(bytes_, count * sizeof(float)), kind), "copying to or from the GPU");
  }

  int device_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace

void check_cuda(int result, const char* what) {
  if (result == cudaSuccess) return;
  throw Error(std::string(what) + " failed: " + cudaGetErrorString(static_cast<cudaError_t>(result)), {},
              "nvidia-smi shows whether the driver sees the GPUs and what else uses them");
}

void use_device(int device) {
  check_cuda(cudaSetDevice(device), "choosing a GPU");
}

int count_devices() {
  int count = 0;
  check_cuda(cudaGetDeviceCount(&count), "counting the GPUs");
  return count;
}

std::string device_address(int device) {
  std::array<char, 32> text{};
  check_cuda(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device), "naming a GPU");
  std::string address(text.data());
  std::transform(address.begin(), address.end(), address.begin(), [](unsigned char c) { return std::tolower(c); });
  return address;
}

std::unique_ptr<DeviceValues> make_device_values(int device, std::size_t count) {
  return std::make_unique<CudaValues>(device, count);
}

}  // namespace bertprep
